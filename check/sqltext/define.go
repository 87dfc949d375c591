package sqltext

// create reads CREATE TABLE and CREATE VIEW; any other by its brackets.
func (p *parser) create() {
	start := p.at
	p.skip()
	p.take("OR", "REPLACE")
	p.takeAny("GLOBAL", "LOCAL")
	p.takeAny("TEMP", "TEMPORARY", "UNLOGGED", "MATERIALIZED", "EXTERNAL", "RECURSIVE")
	isView := p.takeAny("VIEW")
	if !isView && !p.take("TABLE") {
		p.at = start
		p.loose()
		return
	}
	p.take("IF", "NOT", "EXISTS")
	p.table()
	if p.take("LIKE") {
		p.table()
	}
	if p.isOp("(") && !p.ahead(1).begins() {
		p.skip()
		p.list(p.definition)
		p.needOp(")")
	}
	for p.err == nil && p.tok().kind != atEnd && !p.isOp(";") && !p.isOp(")") && !p.is("AS") && !p.startsQuery() {
		if p.isOp("(") { // options: ENGINE = x, PARTITION BY (…), WITH (…)
			p.skipBrackets()
			continue
		}
		p.skip()
	}
	if p.take("AS") || p.startsQuery() {
		p.query()
		if p.take("WITH") {
			p.take("NO")
			if !p.takeAny("DATA") {
				p.loose()
			}
		}
	} else if isView {
		p.unexpected("AS")
	}
}

// definition reads a column or a constraint of a table.
func (p *parser) definition() {
	if p.take("CONSTRAINT") {
		p.name()
	}
	switch {
	case p.take("PRIMARY", "KEY"), p.take("UNIQUE"):
		p.takeAny("KEY", "INDEX", "CLUSTERED", "NONCLUSTERED")
		if isName(p.tok()) {
			p.skip()
		}
		p.skipBrackets()
	case p.take("FOREIGN", "KEY"):
		p.names()
		p.references()
	case p.take("CHECK"):
		p.parens()
	case p.isAny("INDEX", "KEY", "FULLTEXT") && (p.ahead(1).text == "(" || p.ahead(2).text == "("):
		p.skip()
		if !p.isOp("(") {
			p.name()
		}
		p.skipBrackets()
	case p.take("LIKE"):
		p.table()
	default:
		p.column()
	}
}

func (p *parser) column() {
	p.name()
	if isName(p.tok()) && !columnWords[p.tok().text] {
		p.typeName()
	}
	for p.err == nil && !p.isOp(",") && !p.isOp(")") {
		p.columnRule()
	}
}

var columnWords = wordSet("GENERATED AUTO_INCREMENT AUTOINCREMENT IDENTITY COMMENT")

func (p *parser) columnRule() {
	switch {
	case p.take("CONSTRAINT"), p.take("COLLATE"):
		p.dotted()
	case p.take("NOT", "NULL"), p.take("NULL"), p.takeAny("AUTO_INCREMENT", "AUTOINCREMENT", "VISIBLE", "INVISIBLE", "KEY", "STORED", "VIRTUAL", "PERSISTED"):
	case p.take("PRIMARY", "KEY"):
		p.takeAny("ASC", "DESC", "CLUSTERED", "NONCLUSTERED")
	case p.take("UNIQUE"):
		p.take("KEY")
	case p.take("DEFAULT"), p.take("ON", "UPDATE"):
		p.binary(bindOther)
	case p.take("CHECK"):
		p.parens()
	case p.is("REFERENCES"):
		p.references()
	case p.take("IDENTITY"):
		if p.isOp("(") {
			p.skipBrackets()
		}
	case p.take("GENERATED"):
		p.take("ALWAYS")
		p.take("BY", "DEFAULT")
	case p.take("AS", "IDENTITY"):
		if p.isOp("(") {
			p.skipBrackets()
		}
	case p.take("AS"):
		p.parens()
	case p.take("COMMENT"):
		p.primary()
	case p.take("CHARACTER", "SET"):
		p.name()
	default:
		p.unexpected("a rule of the column, or a comma")
	}
}

func (p *parser) references() {
	p.need("REFERENCES")
	p.table()
	p.names()
	for p.err == nil {
		switch {
		case p.take("ON", "DELETE"), p.is("ON", "UPDATE") && p.take("ON", "UPDATE"):
			if !p.takeAny("CASCADE", "RESTRICT") && !p.take("SET", "NULL") && !p.take("SET", "DEFAULT") && !p.take("NO", "ACTION") {
				p.unexpected("CASCADE, RESTRICT, SET NULL, SET DEFAULT or NO ACTION")
			}
		case p.take("MATCH"):
			p.skip()
		case p.take("NOT", "DEFERRABLE"), p.take("DEFERRABLE"):
		case p.take("INITIALLY"):
			p.skip()
		default:
			return
		}
	}
}
