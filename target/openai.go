package target

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"newel"
)

// openAI asks a chat model over the OpenAI protocol, without streaming.
type openAI struct {
	web     *web
	secrets *secrets
	url     address
	keyEnv  string
	headers []header
	model   template
	system  template
	prompt  template       // one user message, or a JSON list of messages
	chat    bool           // prompt is such a list
	params  map[string]any // tools among them
}

var (
	openAIKeys = []string{"url", "key_env", "headers", "model", "prompt", "system", "tools", "params"}
	// ownParams are keys of the request that the target itself writes.
	ownParams = []string{"messages", "model", "stream", "tools", "n"}
)

func parseOpenAI(n *newel.Node, env Env, concurrency int, m *newel.Mistakes) (kind, *secrets) {
	f := fieldsOf(n, "openai", openAIKeys, m)
	o := &openAI{params: map[string]any{}, keyEnv: f.text("key_env"), headers: f.headers()}
	if u := f.required("url", "the address up to /v1, or up to /chat/completions"); u != nil {
		o.url = parseAddress(u, false, m)
	}
	if f.required("model", "the model's name as the service knows it") != nil {
		o.model = f.template("model")
	}
	o.system = f.template("system")
	o.readPrompt(f)
	o.readParams(f)
	if o.keyEnv != "" && !variableName.MatchString(o.keyEnv) {
		m.Add(f.at("key_env").Pos, "key_env is the name of the environment variable that holds the key, such as OPENAI_API_KEY, not the key itself")
	}
	names := append(o.url.text.variables(), headerVariables(o.headers)...)
	if o.keyEnv != "" {
		names = append(names, o.keyEnv)
	}
	o.secrets = newSecrets(names, env.Lookup)
	o.url.secrets = o.secrets
	o.web = newWeb(env, concurrency, o.secrets)
	return o, o.secrets
}

// template returns a key's text with {{ path }} in it.
func (f fields) template(name string) template {
	if text := f.text(name); text != "" {
		return parseTemplate(f.at(name).Pos, text, syntax{fields: true}, f.m)
	}
	return nil
}

func (o *openAI) readPrompt(f fields) {
	n := f.at("prompt")
	switch {
	case n == nil:
	case !n.IsList():
		o.prompt = f.template("prompt")
	case f.at("system") != nil:
		f.m.Add(n.Pos, "openai: prompt is a list of messages here, so the system's text is one of them: leave system out")
	default:
		o.chat, o.prompt = true, jsonTemplate(n, f.m)
		for _, e := range n.List {
			if !e.IsMap() || e.Field("role") == nil || e.Field("content") == nil {
				f.m.Add(e.Pos, "openai: prompt is a text, or a list of messages {role, content}")
			}
		}
	}
	for _, p := range o.prompt {
		if p.own != "" {
			f.m.Add(n.Pos, "openai: {{ %s }} is what the prompt makes: it cannot stand in it", p.own)
		}
	}
}

func (o *openAI) readParams(f fields) {
	if n := f.at("params"); n != nil {
		if !n.IsMap() {
			f.m.Add(n.Pos, "openai: params is a map such as {temperature: 0}; this is %s", n.Kind())
		} else {
			o.params = n.Any().(map[string]any)
		}
		for _, e := range n.Fields {
			if slices.Contains(ownParams, e.Name) {
				f.m.Add(e.Pos, "openai: %s is not for params: newel asks for one whole answer, and model and tools have their own keys", e.Name)
			}
		}
	}
	if n := f.at("tools"); n != nil {
		if !n.IsList() || len(n.List) == 0 {
			f.m.Add(n.Pos, "openai: tools is a list of {type: function, function: {…}}; this is %s", n.Kind())
		}
		o.params["tools"] = n.Any()
	}
}

// opening is the prompt filled in, else the case's input. The system's text is
// no part of it: it is sent, but is not what was said.
func (o *openAI) opening(sc *scope) ([]any, *fault) {
	c := sc.subject.Case
	switch {
	case len(c.Media) > 0:
		return nil, caseFault("the case brings media, which an openai target does not send: use an http target with {{ media }} in its body")
	case o.prompt != nil:
		return o.prompted(sc)
	case c.Input == nil && c.Turns == nil:
		return nil, caseFault("the case has neither input nor turns")
	case c.Input == nil:
		return nil, nil
	}
	messages, ok := chatOf(c.Input)
	if !ok {
		return nil, caseFault("the case's input is neither text nor chat messages: say with prompt what to ask")
	}
	return messages, nil
}

func (o *openAI) prompted(sc *scope) ([]any, *fault) {
	text, f := o.prompt.render(sc, o.secrets)
	if f != nil || !o.chat {
		return []any{message("user", text)}, f
	}
	v, err := newel.ParseJSON([]byte(text))
	if err != nil {
		return nil, caseFault("the prompt filled in is not JSON: %v", err)
	}
	return v.([]any), nil
}

func (o *openAI) ask(ctx context.Context, sc *scope) (*reply, *fault) {
	body, f := o.body(sc)
	if f != nil {
		return nil, f
	}
	to, f := o.url.fill(sc)
	if f != nil {
		return nil, f
	}
	if !strings.HasSuffix(to.Path, "/chat/completions") {
		to = to.JoinPath("chat/completions")
	}
	header, f := o.header(sc)
	if f != nil {
		return nil, f
	}
	resp, f := o.web.send(ctx, http.MethodPost, to, header, body)
	if f != nil {
		return nil, f
	}
	return o.read(resp)
}

func (o *openAI) header(sc *scope) (http.Header, *fault) {
	header, f := fillHeaders(o.headers, sc, o.secrets)
	if f != nil {
		return nil, f
	}
	header.Set("Content-Type", "application/json")
	header.Set("Accept", "application/json")
	if o.keyEnv != "" {
		key, f := o.secrets.value(o.keyEnv)
		if f != nil {
			return nil, f
		}
		header.Set("Authorization", "Bearer "+key)
	}
	return header, nil
}

func (o *openAI) body(sc *scope) (string, *fault) {
	model, f := o.model.render(sc, o.secrets)
	if f != nil {
		return "", f
	}
	messages := sc.messages
	if o.system != nil {
		text, f := o.system.render(sc, o.secrets)
		if f != nil {
			return "", f
		}
		messages = append([]any{message("system", text)}, messages...)
	}
	request := map[string]any{"model": model, "messages": messages}
	for name, v := range o.params {
		request[name] = v
	}
	body, f := jsonText(request)
	if f == nil && len(body) > MaxBody {
		f = tooLarge("the request")
	}
	return body, f
}

func (o *openAI) cancelled() {}
func (o *openAI) close()     { o.web.close() }
