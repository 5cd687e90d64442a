/**
 * A strict, small XML parser for SOAP envelopes: elements, attributes, text, CDATA, comments. Depth and
 * number of nodes are limited, and the time is linear. Throws MalformedXml. Refuses document types,
 * processing instructions, unknown entities and undeclared prefixes, like a namespace-aware parser with
 * entities disabled.
 */

export class MalformedXml extends Error {
  override readonly name = 'MalformedXml'
}

export interface XmlElement {
  /** Local name without prefix. */
  readonly name: string
  /** Namespace URI, or empty. */
  readonly namespace: string
  /** Attribute values by qualified name. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** Text directly inside the element, trimmed. */
  readonly text: string
}

const MAX_DEPTH = 32
const MAX_NODES = 5000
const MAX_TAG = 8192
const NAME = '[A-Za-z_][A-Za-z0-9_.-]*'
const QNAME = `${NAME}(?::${NAME})?`
const declaration = /^<\?xml\s+version\s*=\s*(?:"1\.[01]"|'1\.[01]')[^?<>]*\?>/
const openTag = new RegExp(`^<(${QNAME})((?:\\s+${QNAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`)
const closeTag = new RegExp(`^</(${QNAME})\\s*>`)
const attribute = new RegExp(`(${QNAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'g')
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
// Characters not allowed in XML 1.0.
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

interface OpenElement {
  readonly qualified: string
  readonly name: string
  readonly namespace: string
  readonly attributes: Map<string, string>
  readonly children: XmlElement[]
  readonly prefixes: ReadonlyMap<string, string>
  text: string
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([A-Za-z]{1,8}));|&/g,
    (whole, decimal, hex, name) => {
      if (typeof name === 'string') {
        const character = entities[name]
        if (character !== undefined) return character
      } else if (whole !== '&') {
        const code = typeof decimal === 'string' ? Number(decimal) : parseInt(String(hex), 16)
        const character = code <= 0x10ffff ? String.fromCodePoint(code) : '\u0000'
        if (!forbidden.test(character)) return character
      }
      throw new MalformedXml('unknown or incomplete entity')
    },
  )
}

function readAttributes(source: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name, double, single] of source.matchAll(attribute)) {
    if (attributes.has(name!)) throw new MalformedXml(`duplicate attribute ${name}`)
    attributes.set(name!, decodeEntities(double ?? single ?? ''))
  }
  return attributes
}

function begin(qualified: string, source: string, parent: OpenElement | undefined): OpenElement {
  const attributes = readAttributes(source)
  let prefixes = parent?.prefixes ?? new Map([['xml', 'http://www.w3.org/XML/1998/namespace']])
  for (const [name, value] of attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    // `xmlns` itself declares the namespace of the empty prefix.
    prefixes = new Map(prefixes).set(name.slice('xmlns:'.length), value)
  }
  const split = (name: string): [string, string] =>
    name.includes(':') ? (name.split(':', 2) as [string, string]) : ['', name]
  for (const name of [qualified, ...attributes.keys()]) {
    const [prefix] = split(name)
    if (prefix !== '' && prefix !== 'xmlns' && !prefixes.has(prefix)) {
      throw new MalformedXml(`undeclared prefix ${prefix}`)
    }
  }
  const [prefix, name] = split(qualified)
  const namespace = prefixes.get(prefix) ?? ''
  return { qualified, name, namespace, attributes, children: [], prefixes, text: '' }
}

function finish({ name, namespace, attributes, children, text }: OpenElement): XmlElement {
  return { name, namespace, attributes, children, text: text.trim() }
}

class Reader {
  readonly #source: string
  readonly #open: OpenElement[] = []
  #at = 0
  #nodes = 0
  #root: XmlElement | undefined

  constructor(source: string) {
    this.#source = source
  }

  read(): XmlElement {
    if (forbidden.test(this.#source)) throw new MalformedXml('character not allowed in XML')
    if (this.#source.startsWith('\ufeff')) this.#at = 1
    this.#match(declaration)
    while (this.#at < this.#source.length) this.#step()
    if (this.#open.length > 0) throw new MalformedXml(`unclosed element ${this.#open.at(-1)!.qualified}`)
    if (this.#root === undefined) throw new MalformedXml('root element not found')
    return this.#root
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    const match = pattern.exec(this.#source.slice(this.#at, this.#at + MAX_TAG))
    if (match !== null) this.#at += match[0].length
    return match
  }

  #step(): void {
    if (++this.#nodes > MAX_NODES) throw new MalformedXml(`at most ${MAX_NODES} nodes allowed`)
    if (this.#source[this.#at] !== '<') return this.#text()
    if (this.#source.startsWith('<!--', this.#at)) return void this.#until('-->')
    if (this.#source.startsWith('<![CDATA[', this.#at)) {
      return this.#append(this.#until(']]>').slice('<![CDATA['.length))
    }
    const close = this.#match(closeTag)
    if (close !== null) return this.#close(close[1]!)
    const open = this.#match(openTag)
    if (open === null) throw new MalformedXml(`invalid tag at character ${this.#at}`)
    if (this.#root !== undefined) throw new MalformedXml('more than one root element')
    if (this.#open.length === MAX_DEPTH) throw new MalformedXml(`elements nested deeper than ${MAX_DEPTH}`)
    this.#open.push(begin(open[1]!, open[2]!, this.#open.at(-1)))
    if (open[3] === '/') this.#close(open[1]!)
  }

  #text(): void {
    const end = this.#source.indexOf('<', this.#at)
    const text = this.#source.slice(this.#at, end === -1 ? undefined : end)
    this.#at += text.length
    if (text.includes(']]>')) throw new MalformedXml(']]> is not allowed in text')
    this.#append(decodeEntities(text))
  }

  #append(text: string): void {
    const element = this.#open.at(-1)
    if (element !== undefined) element.text += text
    else if (text.trim() !== '') throw new MalformedXml('text outside the root element')
  }

  /** Returns the source up to `end` and skips past it. */
  #until(end: string): string {
    const at = this.#source.indexOf(end, this.#at)
    if (at === -1) throw new MalformedXml(`expected ${end}`)
    const passed = this.#source.slice(this.#at, at)
    this.#at = at + end.length
    return passed
  }

  #close(qualified: string): void {
    const element = this.#open.pop()
    if (element?.qualified !== qualified) throw new MalformedXml(`unexpected closing tag </${qualified}>`)
    const parent = this.#open.at(-1)
    if (parent === undefined) this.#root = finish(element)
    else parent.children.push(finish(element))
  }
}

export function parseXml(source: string): XmlElement {
  return new Reader(source).read()
}

/** Follows a path of local names, taking the first child with each name. */
export function child(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce((found, name) => found?.children.find((inner) => inner.name === name), element)
}

export function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
