package newel

// ToldCall is a Call with what was asked and what came back, as explain shows it.
// A journal keeps no prompt: it is written again from the stored suite and case.
type ToldCall struct {
	Call
	Prompt []Turn `json:"prompt,omitempty"` // as it was sent, in order
	// PromptMissing says why the prompt cannot be written again.
	PromptMissing string `json:"prompt_missing,omitempty"`
	// Reply is the reply as it came; nil: there was none.
	Reply *ReplyText `json:"reply,omitempty"`
}

// Turn is one message of a prompt.
type Turn struct {
	Role  string   `json:"role"` // system, user, assistant
	Text  string   `json:"text"`
	Files []string `json:"files,omitempty"` // that go along: type, and URL or SHA-256
}

// ReplyText is a reply as it came.
type ReplyText struct {
	Text    string `json:"text"`
	Refused bool   `json:"refused,omitempty"`
	Finish  string `json:"finish,omitempty"` // why it ended, where that is known
}
