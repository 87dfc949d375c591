package gateway

func agentccDialect() *dialect { return &dialect{name: "agentcc"} }
