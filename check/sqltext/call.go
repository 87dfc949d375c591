package sqltext

// call reads a function's arguments and what may follow them.
func (p *parser) call(name string) {
	if !p.enter() {
		p.leave()
		return
	}
	defer p.leave()
	p.needOp("(")
	if !p.takeOp(")") {
		p.takeAny("DISTINCT", "ALL")
		if !p.takeOp("*") {
			p.arguments(name)
		}
		p.argumentsTail()
		p.needOp(")")
	}
	if p.take("WITHIN", "GROUP") {
		p.needOp("(")
		p.orderBy()
		p.needOp(")")
	}
	if p.is("FILTER") && p.ahead(1).text == "(" {
		p.skip()
		p.needOp("(")
		p.need("WHERE")
		p.expr()
		p.needOp(")")
	}
	p.nulls()
	if p.take("OVER") {
		p.over()
	}
}

func (p *parser) nulls() {
	if p.is("IGNORE", "NULLS") || p.is("RESPECT", "NULLS") {
		p.skip()
		p.skip()
	}
}

func (p *parser) arguments(name string) {
	if name == "TRIM" {
		p.takeAny("LEADING", "TRAILING", "BOTH")
	}
	p.list(func() {
		switch {
		case p.startsQuery():
			p.query()
			p.queryEnd = p.at
			return
		case name == "TRIM" && p.is("FROM"):
		default:
			p.expr()
		}
		if p.takeOp("=>") || p.takeOp(":=") {
			p.expr()
		}
		for worded[name] && p.err == nil {
			switch {
			case p.takeAny("FROM", "FOR", "PLACING", "USING", "TO"):
				p.expr()
			case p.take("AS"):
				p.typeName()
			default:
				return
			}
		}
	})
}

// argumentsTail reads what an aggregate may have after its arguments.
func (p *parser) argumentsTail() {
	p.nulls()
	if p.is("ORDER") {
		p.orderBy()
	}
	if p.take("SEPARATOR") {
		p.primary()
	}
	if p.take("LIMIT") {
		p.expr()
	}
}

func (p *parser) over() {
	if !p.isOp("(") {
		p.name()
		return
	}
	p.skip()
	p.window()
	p.needOp(")")
}

// window reads what stands in the brackets of OVER ( ).
func (p *parser) window() {
	if isName(p.tok()) && !p.isAny("PARTITION", "ROWS", "RANGE", "GROUPS") {
		p.skip()
	}
	if p.take("PARTITION") {
		p.need("BY")
		p.list(p.expr)
	}
	if p.is("ORDER") {
		p.orderBy()
	}
	if !p.takeAny("ROWS", "RANGE", "GROUPS") {
		return
	}
	if p.take("BETWEEN") {
		p.frameEnd()
		p.need("AND")
	}
	p.frameEnd()
	if p.take("EXCLUDE") && !p.take("CURRENT", "ROW") && !p.take("NO", "OTHERS") && !p.takeAny("GROUP", "TIES") {
		p.unexpected("CURRENT ROW, GROUP, TIES or NO OTHERS")
	}
}

func (p *parser) frameEnd() {
	if p.take("CURRENT", "ROW") {
		return
	}
	if !p.take("UNBOUNDED") {
		p.binary(bindOther)
	}
	if !p.takeAny("PRECEDING", "FOLLOWING") {
		p.unexpected("PRECEDING or FOLLOWING")
	}
}

// typeName reads a type: NUMERIC(10, 2), DOUBLE PRECISION, TIMESTAMP WITH
// TIME ZONE, ARRAY<STRING>, text[].
func (p *parser) typeName() {
	p.dotted()
	for p.takeAny("PRECISION", "VARYING", "UNSIGNED", "SIGNED", "ZEROFILL", "INTEGER", "INT", "LARGE", "OBJECT") {
	}
	if p.isOp("(") {
		p.skipBrackets()
	}
	if p.takeOp("<") {
		p.angled()
	}
	for p.takeAny("UNSIGNED", "SIGNED", "ZEROFILL", "VARYING") {
	}
	if p.is("WITH", "TIME") || p.is("WITHOUT", "TIME") || p.is("WITH", "LOCAL") {
		p.skip()
		p.take("LOCAL")
		p.need("TIME", "ZONE")
	}
	if p.take("CHARACTER", "SET") || p.take("CHARSET") {
		p.name()
	}
	p.take("ARRAY")
	for p.isOp("[") && p.err == nil {
		p.skip()
		if p.tok().kind == number {
			p.skip()
		}
		p.needOp("]")
	}
}

// angled reads the rest of ARRAY<…> and STRUCT<…>.
func (p *parser) angled() {
	for open := 1; open > 0 && p.err == nil; {
		t := p.tok()
		switch {
		case t.text == "<" && t.kind == operator:
			open++
		case t.text == ">" && t.kind == operator:
			open--
		case t.text == ">>" && t.kind == operator:
			open -= 2
		case t.kind == word, t.kind == quoted, t.text == ",":
		default:
			p.unexpected("a type")
			return
		}
		p.skip()
	}
}

// skipBrackets passes over a pair of brackets and what stands in it.
func (p *parser) skipBrackets() {
	for open := 0; p.err == nil; {
		switch t := p.tok(); {
		case t.kind == atEnd:
			p.unexpected(")")
			return
		case t.kind == operator && t.text == "(":
			open++
		case t.kind == operator && t.text == ")":
			open--
		}
		if p.skip(); open == 0 {
			return
		}
	}
}
