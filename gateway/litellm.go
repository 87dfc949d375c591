package gateway

func litellmDialect() *dialect { return &dialect{name: "litellm"} }
