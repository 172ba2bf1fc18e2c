// A runner of Gitea Actions for the tests. Gitea's own is no library; its protocol and its executor are, and this joins them as that one does:
// every job runs on this host, in a folder that is removed with it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	runnerv1 "code.gitea.io/actions-proto-go/runner/v1"
	"code.gitea.io/actions-proto-go/runner/v1/runnerv1connect"
	"connectrpc.com/connect"
)

const pause = 200 * time.Millisecond

// credentials are what the forge gave this runner when it registered; every later request bears them.
type credentials struct{ uuid, token string }

func (c *credentials) intercept(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, request connect.AnyRequest) (connect.AnyResponse, error) {
		if c.uuid != "" {
			request.Header().Set("x-runner-uuid", c.uuid)
			request.Header().Set("x-runner-token", c.token)
		}
		return next(ctx, request)
	}
}

// machine is one registered runner.
type machine struct {
	forge   string
	folder  string
	hook    string
	service runnerv1connect.RunnerServiceClient
}

func main() {
	forge := flag.String("forge", "", "address of the forge")
	token := flag.String("token", "", "registration token")
	name := flag.String("name", "runner", "name of this runner")
	labels := flag.String("labels", "joulediff", "labels that runs-on may name, separated by commas")
	folder := flag.String("folder", "", "where jobs and actions lie")
	once := flag.Bool("once", false, "end after one job")
	hook := flag.String("hook", "", "runner.hooks.job_started of Gitea's runner")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	here := &machine{forge: strings.TrimRight(*forge, "/"), folder: *folder, hook: *hook}
	if err := here.serve(ctx, *token, *name, strings.Split(*labels, ","), *once); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve registers, and takes one job after the other until it is stopped: a machine that measures does nothing beside.
func (m *machine) serve(ctx context.Context, token, name string, labels []string, once bool) error {
	known := &credentials{}
	client := runnerv1connect.NewRunnerServiceClient(
		http.DefaultClient, m.forge+"/api/actions", connect.WithInterceptors(connect.UnaryInterceptorFunc(known.intercept)))
	answer, err := client.Register(ctx, connect.NewRequest(
		&runnerv1.RegisterRequest{Name: name, Token: token, Version: "test", Labels: labels}))
	if err != nil {
		return fmt.Errorf("%s does not register this runner: %w", m.forge, err)
	}
	known.uuid, known.token = answer.Msg.Runner.Uuid, answer.Msg.Runner.Token
	declared := &runnerv1.DeclareRequest{Version: "test", Labels: labels}
	if _, err := client.Declare(ctx, connect.NewRequest(declared)); err != nil {
		return fmt.Errorf("%s does not take this runner's labels: %w", m.forge, err)
	}
	fmt.Println("ready")
	m.service = client
	var seen int64
	for ctx.Err() == nil {
		fetched, err := client.FetchTask(ctx, connect.NewRequest(&runnerv1.FetchTaskRequest{TasksVersion: seen}))
		switch {
		case errors.Is(err, context.Canceled):
			return nil
		case err != nil:
			// A forge that is busy or is started again; a runner outlives that.
			fmt.Fprintln(os.Stderr, err)
		case fetched.Msg.Task != nil:
			if err := m.run(ctx, fetched.Msg.Task); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
			if once {
				return nil
			}
			// The forge may have more under the same version.
			seen = 0
			continue
		default:
			seen = fetched.Msg.TasksVersion
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
	return nil
}
