package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	runnerv1 "code.gitea.io/actions-proto-go/runner/v1"
	"github.com/nektos/act/pkg/model"
	"github.com/nektos/act/pkg/runner"
)

// run executes a task with Gitea's act, and tells the forge of it while it runs and at its end.
func (m *machine) run(ctx context.Context, task *runnerv1.Task) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	report := newReport(m.service, task.Id, cancel)
	err := m.execute(ctx, task, report)
	return report.end(err, ctx.Err() != nil)
}

func (m *machine) execute(ctx context.Context, task *runnerv1.Task, report *report) error {
	workflow, id, err := workflowOf(task)
	if err != nil {
		return err
	}
	plan, err := model.CombineWorkflowPlanner(workflow).PlanJob(id)
	if err != nil {
		return err
	}
	config, err := m.config(task)
	if err != nil {
		return err
	}
	executor, err := runner.New(config)
	if err != nil {
		return err
	}
	job := workflow.GetJob(id)
	report.begin(len(job.Steps))
	if m.hook != "" {
		// As Gitea's runner has it since 3.0 (docs/job-hooks.md): with the job's environment, before its first step; where it fails, the job
		// does. bash starts what ends with .sh, everything else starts by itself.
		report.hooks = 1
		shell := m.hook
		if strings.HasSuffix(strings.ToLower(shell), ".sh") {
			shell = "bash -e " + shell
		}
		job.Steps = append([]*model.Step{{ID: "hook", Name: m.hook, Run: ":", Shell: shell + " {0}"}}, job.Steps...)
	}
	if err := executor.NewPlanExecutor(plan)(runner.WithJobLoggerFactory(ctx, report)); err != nil {
		return err
	}
	report.take(job.Outputs)
	if job.Result == "failure" {
		return fmt.Errorf("job %s failed", id)
	}
	return nil
}

// workflowOf is the workflow of a task, which holds one job, and the jobs that it needed as far as their results go.
func workflowOf(task *runnerv1.Task) (*model.Workflow, string, error) {
	workflow, err := model.ReadWorkflow(bytes.NewReader(task.WorkflowPayload))
	if err != nil {
		return nil, "", err
	}
	ids := workflow.GetJobIDs()
	if len(ids) != 1 {
		return nil, "", fmt.Errorf("a task has one job; this one has %d", len(ids))
	}
	needs := make([]string, 0, len(task.Needs))
	for id, need := range task.Needs {
		needs = append(needs, id)
		result := strings.ToLower(strings.TrimPrefix(need.Result.String(), "RESULT_"))
		workflow.Jobs[id] = &model.Job{Outputs: need.Outputs, Result: result}
	}
	return workflow, ids[0], workflow.Jobs[ids[0]].RawNeeds.Encode(needs)
}

func (m *machine) config(task *runnerv1.Task) (*runner.Config, error) {
	told := task.Context.Fields
	text := func(key string) string { return told[key].GetStringValue() }
	event := told["event"].GetStructValue().AsMap()
	payload, err := json.Marshal(event)
	if err != nil {
		return nil, err
	}
	workspace := filepath.Join(m.folder, "jobs", fmt.Sprint(task.Id), "workspace")
	if err := os.MkdirAll(workspace, 0o755); err != nil {
		return nil, err
	}
	secrets := map[string]string{}
	for name, value := range task.Secrets {
		secrets[name] = value
	}
	actions := text("gitea_default_actions_url")
	if actions == "" {
		actions = m.forge
	}
	return &runner.Config{
		Workdir:        workspace,
		ActionCacheDir: filepath.Join(m.folder, "actions"),
		EventName:      text("event_name"),
		EventJSON:      string(payload),
		Actor:          text("actor"),
		Token:          text("token"),
		Secrets:        secrets,
		Vars:           task.Vars,
		LogOutput:      true,
		AutoRemove:     true,
		NoSkipCheckout: true,
		Env: map[string]string{
			"GITEA_ACTIONS":         "true",
			"ACTIONS_RUNTIME_URL":   m.forge + "/api/actions_pipeline/",
			"ACTIONS_RUNTIME_TOKEN": text("gitea_runtime_token"),
			"ACTIONS_RESULTS_URL":   m.forge,
		},
		GitHubInstance:        m.forge,
		DefaultActionInstance: actions,
		PlatformPicker:        func([]string) string { return "-self-hosted" },
		// As Gitea's runner fills it: neither the workflow's name nor the job's is taken from the forge.
		PresetGitHubContext: &model.GithubContext{
			Event: event, EventName: text("event_name"), Actor: text("actor"), Token: text("token"),
			RunID: text("run_id"), RunNumber: text("run_number"), RunAttempt: text("run_attempt"),
			Repository: text("repository"), RepositoryOwner: text("repository_owner"), RetentionDays: text("retention_days"),
			Sha: text("sha"), Ref: text("ref"), RefName: text("ref_name"), RefType: text("ref_type"),
			HeadRef: text("head_ref"), BaseRef: text("base_ref"),
		},
	}, nil
}
