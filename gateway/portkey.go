package gateway

func portkeyDialect() *dialect { return &dialect{name: "portkey"} }
