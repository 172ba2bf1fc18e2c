package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"strings"
	"sync"
	"time"

	runnerv1 "code.gitea.io/actions-proto-go/runner/v1"
	"code.gitea.io/actions-proto-go/runner/v1/runnerv1connect"
	"connectrpc.com/connect"
	"github.com/sirupsen/logrus"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
)

const interval = 500 * time.Millisecond

// report keeps a job's log and the state of its steps, as act's logger tells them, and sends both to the forge. The forge's answer is how
// a runner learns that somebody cancelled the job.
type report struct {
	service runnerv1connect.RunnerServiceClient
	cancel  context.CancelFunc
	stop    chan struct{}
	stopped chan struct{}

	// Steps before those that the forge knows.
	hooks int

	mutex   sync.Mutex
	lines   []*runnerv1.LogRow
	sent    int64
	state   *runnerv1.TaskState
	outputs map[string]string
}

func newReport(service runnerv1connect.RunnerServiceClient, task int64, cancel context.CancelFunc) *report {
	r := &report{
		service: service, cancel: cancel, stop: make(chan struct{}), stopped: make(chan struct{}),
		state: &runnerv1.TaskState{Id: task, StartedAt: timestamppb.Now()},
	}
	go r.keepTelling()
	return r
}

func (r *report) begin(steps int) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for i := range steps {
		r.state.Steps = append(r.state.Steps, &runnerv1.StepState{Id: int64(i)})
	}
}

// take keeps the outputs of the job for those that need it.
func (r *report) take(outputs map[string]string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.outputs = maps.Clone(outputs)
}

// WithJobLogger is called by act: one logger for each job.
func (r *report) WithJobLogger() *logrus.Logger {
	logger := logrus.New()
	logger.SetOutput(io.Discard)
	logger.AddHook(r)
	return logger
}

func (r *report) Levels() []logrus.Level { return logrus.AllLevels }

func (r *report) Fire(entry *logrus.Entry) error {
	if entry.Level > logrus.InfoLevel {
		return nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	at, now := int64(len(r.lines)), timestamppb.New(entry.Time)
	text := strings.TrimRight(entry.Message, "\r\n")
	number, isStep := entry.Data["stepNumber"].(int)
	number -= r.hooks
	stage, _ := entry.Data["stage"].(string)
	result, ended := entry.Data["stepResult"]
	raw, _ := entry.Data["raw_output"].(bool)
	// What a step printed, once, and never what it asks to conceal.
	if strings.HasPrefix(text, "::add-mask::") || strings.HasPrefix(text, "::debug::") || (stage == "Main" && !raw && !ended) {
		return nil
	}
	r.lines = append(r.lines, &runnerv1.LogRow{Time: now, Content: text})
	fmt.Println(text)
	if !isStep || stage != "Main" || number < 0 || number >= len(r.state.Steps) {
		return nil
	}
	step := r.state.Steps[number]
	if step.StartedAt == nil {
		step.StartedAt, step.LogIndex = now, at
	}
	step.LogLength = at + 1 - step.LogIndex
	if ended {
		step.Result, step.StoppedAt = resultOf(fmt.Sprint(result)), now
	}
	return nil
}

func resultOf(text string) runnerv1.Result {
	if result, known := runnerv1.Result_value["RESULT_"+strings.ToUpper(text)]; known {
		return runnerv1.Result(result)
	}
	return runnerv1.Result_RESULT_FAILURE
}

func (r *report) keepTelling() {
	defer close(r.stopped)
	for {
		select {
		case <-r.stop:
			return
		case <-time.After(interval):
			if err := r.tell(false); err != nil {
				fmt.Println(err)
			}
		}
	}
}

// tell sends what is new. It outlives the job's own context: the end of a cancelled job has to be told, too.
func (r *report) tell(last bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r.mutex.Lock()
	log := &runnerv1.UpdateLogRequest{TaskId: r.state.Id, Index: r.sent, Rows: r.lines[r.sent:], NoMore: last}
	told := &runnerv1.UpdateTaskRequest{State: proto.Clone(r.state).(*runnerv1.TaskState), Outputs: maps.Clone(r.outputs)}
	r.mutex.Unlock()
	if len(log.Rows) > 0 || last {
		answer, err := r.service.UpdateLog(ctx, connect.NewRequest(log))
		if err != nil {
			return err
		}
		r.mutex.Lock()
		r.sent = answer.Msg.AckIndex
		r.mutex.Unlock()
	}
	answer, err := r.service.UpdateTask(ctx, connect.NewRequest(told))
	if err == nil && answer.Msg.State.GetResult() == runnerv1.Result_RESULT_CANCELLED {
		r.cancel()
	}
	return err
}

func (r *report) end(failure error, cancelled bool) error {
	close(r.stop)
	<-r.stopped
	r.mutex.Lock()
	r.state.StoppedAt = timestamppb.Now()
	r.state.Result = runnerv1.Result_RESULT_SUCCESS
	if cancelled {
		r.state.Result = runnerv1.Result_RESULT_CANCELLED
	} else if failure != nil {
		r.state.Result = runnerv1.Result_RESULT_FAILURE
		r.lines = append(r.lines, &runnerv1.LogRow{Time: r.state.StoppedAt, Content: failure.Error()})
	}
	for _, step := range r.state.Steps {
		if step.Result == runnerv1.Result_RESULT_UNSPECIFIED {
			step.Result = runnerv1.Result_RESULT_SKIPPED
			if cancelled {
				step.Result = runnerv1.Result_RESULT_CANCELLED
			}
		}
	}
	r.mutex.Unlock()
	return r.tell(true)
}
