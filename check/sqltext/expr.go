package sqltext

// How tightly operators bind, from OR to multiplication.
const (
	bindOr = iota + 1
	bindAnd
	bindNot
	bindCompare
	bindOther
	bindAdd
	bindMultiply
)

func (p *parser) expr() { p.binary(0) }

// binary reads an expression whose operators bind at least as tightly as
// least.
func (p *parser) binary(least int) {
	if !p.enter() {
		p.leave()
		return
	}
	defer p.leave()
	if p.take("NOT") {
		p.binary(bindNot)
	} else {
		p.unary()
	}
	for p.err == nil {
		bind := p.binding()
		if bind == 0 || bind < least {
			return
		}
		p.infix(bind)
	}
}

// binding returns how tightly the next token binds as an operator, 0 if it is
// none.
func (p *parser) binding() int {
	t := p.tok()
	if t.kind == word {
		return p.wordBinding(t.text)
	}
	if t.kind == param && t.text[0] == '%' { // a modulo without blanks: a%s
		return 0
	}
	if t.kind != operator {
		return 0
	}
	switch t.text {
	case "=", "==", "<>", "!=", "<", ">", "<=", ">=", "<=>":
		return bindCompare
	case "+", "-":
		return bindAdd
	case "*", "/", "%", "^":
		return bindMultiply
	case "(", ")", "[", "]", "{", "}", ",", ";", ".", ":", "::", ":=", "=>", "!":
		return 0
	}
	return bindOther
}

func (p *parser) wordBinding(w string) int {
	switch w {
	case "OR", "XOR":
		return bindOr
	case "AND":
		return bindAnd
	case "IS", "IN", "LIKE", "ILIKE", "BETWEEN", "ISNULL", "NOTNULL", "REGEXP", "RLIKE", "GLOB", "MATCH", "OVERLAPS":
		return bindCompare
	case "SIMILAR":
		if p.is("SIMILAR", "TO") {
			return bindCompare
		}
	case "NOT":
		switch p.ahead(1).text {
		case "IN", "LIKE", "ILIKE", "BETWEEN", "REGEXP", "RLIKE", "GLOB", "MATCH", "SIMILAR", "NULL":
			return bindCompare
		}
	case "DIV", "MOD":
		return bindMultiply
	}
	return 0
}

// infix reads the operator that comes next and its right side.
func (p *parser) infix(bind int) {
	p.take("NOT")
	switch {
	case p.takeAny("ISNULL", "NOTNULL", "NULL"):
	case p.take("IS"):
		p.isWhat()
	case p.take("IN"):
		p.inWhat()
	case p.take("BETWEEN"):
		p.take("SYMMETRIC")
		p.binary(bindOther)
		p.need("AND")
		p.binary(bindOther)
	case p.takeAny("LIKE", "ILIKE", "REGEXP", "RLIKE", "GLOB", "MATCH"), p.take("SIMILAR", "TO"):
		p.binary(bindOther)
		if p.take("ESCAPE") {
			p.binary(bindOther)
		}
	default:
		p.skip()
		p.binary(bind + 1)
	}
}

func (p *parser) isWhat() {
	p.take("NOT")
	switch {
	case p.takeAny("NULL", "TRUE", "FALSE", "UNKNOWN"):
	case p.take("JSON"):
		p.takeAny("OBJECT", "ARRAY", "SCALAR", "VALUE")
	case p.take("DISTINCT"):
		p.need("FROM")
		p.binary(bindOther)
	default:
		p.binary(bindOther)
	}
}

func (p *parser) inWhat() {
	if !p.isOp("(") {
		p.unary()
		return
	}
	if p.dialect == SQLite && p.ahead(1).text == ")" {
		p.skip()
		p.skip()
		return
	}
	p.parens()
}

func (p *parser) unary() {
	for p.takeOp("-") || p.takeOp("+") || p.takeOp("~") || p.takeOp("!") || p.takeOp("@") || p.takeAny("BINARY", "PRIOR") {
	}
	p.primary()
	p.postfix()
}

func (p *parser) postfix() {
	for p.err == nil {
		switch {
		case p.takeOp("::"):
			p.typeName()
		case p.isOp("["):
			p.subscript()
		case p.isOp("."):
			p.skip()
			if !p.takeOp("*") {
				p.name()
			}
		case p.take("COLLATE"):
			p.dotted()
		case p.take("AT", "TIME", "ZONE"):
			p.unary()
		default:
			return
		}
	}
}

func (p *parser) subscript() {
	p.needOp("[")
	if !p.isOp(":") {
		p.expr()
	}
	if p.takeOp(":") && !p.isOp("]") {
		p.expr()
	}
	p.needOp("]")
}

// primary reads an operand.
func (p *parser) primary() {
	t := p.tok()
	switch {
	case t.kind == number, t.kind == param:
		p.skip()
	case t.kind == text:
		for p.tok().kind == text {
			p.skip()
		}
	case p.takeOp("?"), p.takeAny("NULL", "TRUE", "FALSE", "DEFAULT"):
	case p.isOp("("):
		p.parens()
	case p.takeOp("["):
		p.elements("]")
	case p.takeOp("{"): // {d '2024-01-01'}
		p.name()
		p.primary()
		p.needOp("}")
	case t.kind == word:
		p.wordOperand(t.text)
	case t.kind == quoted:
		p.nameOperand()
	default:
		p.unexpected("an expression")
	}
}

// elements reads zero or more expressions up to a closing bracket.
func (p *parser) elements(close string) {
	if p.takeOp(close) {
		return
	}
	p.list(p.expr)
	p.needOp(close)
}

func (p *parser) wordOperand(w string) {
	next := p.ahead(1)
	switch {
	case w == "CASE":
		p.caseOperand()
	case w == "EXISTS":
		p.skip()
		p.parens()
	case (w == "ANY" || w == "ALL" || w == "SOME") && next.text == "(":
		p.skip()
		p.parens()
	case w == "ARRAY" && next.text == "[":
		p.skip()
		p.skip()
		p.elements("]")
	case w == "INTERVAL" && intervalFollows(next):
		p.interval()
	case typedLiteral[w] && next.kind == text:
		p.skip()
		p.skip()
	case timeWords[w] && next.text != "(":
		p.skip()
	default:
		p.nameOperand()
	}
}

var (
	typedLiteral = wordSet("DATE TIME TIMESTAMP TIMESTAMPTZ DATETIME JSON JSONB UUID NUMERIC BIGNUMERIC POINT INET")
	timeWords    = wordSet("CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP LOCALTIME LOCALTIMESTAMP CURRENT_USER SESSION_USER")
	// calls are reserved words that are functions all the same.
	calls = wordSet("LEFT RIGHT INSERT VALUES OFFSET")
	// worded are functions whose arguments are divided by words.
	worded = wordSet("EXTRACT SUBSTRING SUBSTR TRIM OVERLAY POSITION CAST TRY_CAST SAFE_CAST CONVERT TRY_CONVERT STRUCT CEIL FLOOR XMLELEMENT JSON_OBJECT JSON_VALUE JSON_QUERY NORMALIZE")
)

func intervalFollows(next token) bool {
	switch next.kind {
	case text, number, param:
		return true
	case operator:
		return next.text == "(" || next.text == "-" || next.text == "?"
	}
	return isName(next)
}

// interval reads INTERVAL '1 day', INTERVAL '1' DAY TO HOUR, INTERVAL 1 DAY.
func (p *parser) interval() {
	p.skip()
	inText := p.tok().kind == text
	p.unary()
	if inText && !(p.tok().kind == word && unitWords[p.tok().text]) {
		return
	}
	unit := func() {
		if p.tok().kind != word || !unitWords[p.tok().text] {
			p.unexpected("a unit of time")
			return
		}
		p.skip()
		if p.isOp("(") {
			p.parens()
		}
	}
	if unit(); p.take("TO") {
		unit()
	}
}

var unitWords = wordSet("YEAR YEARS QUARTER QUARTERS MONTH MONTHS WEEK WEEKS DAY DAYS HOUR HOURS MINUTE MINUTES SECOND SECONDS MILLISECOND MILLISECONDS " +
	"MICROSECOND MICROSECONDS NANOSECOND NANOSECONDS YEAR_MONTH DAY_HOUR DAY_MINUTE DAY_SECOND HOUR_MINUTE HOUR_SECOND MINUTE_SECOND DAY_MICROSECOND HOUR_MICROSECOND MINUTE_MICROSECOND SECOND_MICROSECOND")

func (p *parser) caseOperand() {
	p.need("CASE")
	if !p.is("WHEN") {
		p.expr()
	}
	for {
		p.need("WHEN")
		p.expr()
		p.need("THEN")
		p.expr()
		if p.err != nil || !p.is("WHEN") {
			break
		}
	}
	if p.take("ELSE") {
		p.expr()
	}
	p.need("END")
}

// parens reads a query, an expression or a row in brackets.
func (p *parser) parens() {
	if !p.enter() {
		p.leave()
		return
	}
	defer p.leave()
	p.needOp("(")
	if p.startsQuery() {
		p.query()
		p.needOp(")")
		p.queryEnd = p.at
		return
	}
	p.list(p.expr)
	if p.queryEnd == p.at && (p.isAny("UNION", "EXCEPT", "INTERSECT", "MINUS", "ORDER", "LIMIT")) {
		p.queryTail()
		p.needOp(")")
		p.queryEnd = p.at
		return
	}
	p.needOp(")")
}

// nameOperand reads a column, a function's call or t.*.
func (p *parser) nameOperand() {
	first := p.tok()
	if first.kind == word && reserved[first.text] && (!calls[first.text] || p.ahead(1).text != "(") {
		p.unexpected("an expression")
		return
	}
	p.skip()
	for p.isOp(".") && p.err == nil {
		p.skip()
		if p.takeOp("*") {
			return
		}
		if k := p.tok().kind; k != word && k != quoted {
			p.unexpected("a name")
			return
		}
		p.skip()
	}
	if p.isOp("(") {
		p.call(first.text)
	}
}
