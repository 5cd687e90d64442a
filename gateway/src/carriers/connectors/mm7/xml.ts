/**
 * Parses an XML document of a carrier into a small tree of local names and texts. Strict and limited: well-formed elements, the
 * five predefined entities and numeric references; no document type, so no entity can be declared. Attributes are checked and
 * dropped. Prefixes are dropped as well, because any prefix and any release of the namespace occurs. Takes linear time.
 */

export interface XmlElement {
  /** Local name, without prefix. */
  readonly name: string
  /** Text directly in the element, without surrounding space. */
  readonly text: string
  readonly children: readonly XmlElement[]
}

export class MalformedXml extends Error {
  override readonly name = 'MalformedXml'
}

export const maxXmlLength = 262_144
const maxDepth = 32
const maxElements = 2_000

interface OpenElement {
  readonly qualifiedName: string
  readonly name: string
  text: string
  readonly children: XmlElement[]
}

const openTag =
  /<([A-Za-z_][\w.-]{0,99}(?::[A-Za-z_][\w.-]{0,99})?)((?:\s+[A-Za-z_][\w.:-]{0,99}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const closeTag = /<\/([A-Za-z_][\w.:-]{0,199})\s*>/y

export function parseXml(source: string): XmlElement {
  if (source.length > maxXmlLength) throw new MalformedXml(`more than ${maxXmlLength} characters`)
  const stack: OpenElement[] = []
  let root: XmlElement | undefined
  let elements = 0
  let at = source.charCodeAt(0) === 0xfeff ? 1 : 0

  const close = (): void => {
    const { name, text, children } = stack.pop()!
    const element = { name, text: text.trim(), children }
    const parent = stack.at(-1)
    if (parent === undefined) root = element
    else parent.children.push(element)
  }
  const skip = (end: string, subject: string): number => {
    const found = source.indexOf(end, at)
    if (found < 0) throw new MalformedXml(`unclosed ${subject}`)
    return found + end.length
  }

  while (at < source.length) {
    const next = source.indexOf('<', at)
    const text = source.slice(at, next < 0 ? source.length : next)
    if (text !== '') {
      const top = stack.at(-1)
      if (top !== undefined) top.text += unescape(text)
      else if (text.trim() !== '') throw new MalformedXml('text outside the root element')
    }
    if (next < 0) break
    at = next
    if (source.startsWith('<!--', at)) at = skip('-->', 'comment')
    else if (source.startsWith('<?', at)) at = skip('?>', 'processing instruction')
    else if (source.startsWith('<![CDATA[', at) && stack.length > 0) {
      const end = skip(']]>', 'CDATA section')
      stack.at(-1)!.text += source.slice(at + 9, end - 3)
      at = end
    } else if (source.startsWith('</', at)) {
      closeTag.lastIndex = at
      const [tag, name] = closeTag.exec(source) ?? []
      if (tag === undefined || stack.at(-1)?.qualifiedName !== name)
        throw new MalformedXml('mismatched end tag')
      close()
      at += tag.length
    } else {
      openTag.lastIndex = at
      const [tag, qualifiedName = '', , isEmpty] = openTag.exec(source) ?? []
      if (tag === undefined) throw new MalformedXml('malformed or unsupported tag')
      if (root !== undefined) throw new MalformedXml('more than one root element')
      if (++elements > maxElements || stack.length >= maxDepth)
        throw new MalformedXml('too many or too deeply nested elements')
      const name = qualifiedName.slice(qualifiedName.indexOf(':') + 1)
      stack.push({ qualifiedName, name, text: '', children: [] })
      if (isEmpty === '/') close()
      at += tag.length
    }
  }
  if (root === undefined || stack.length > 0) throw new MalformedXml('missing or unclosed root element')
  return root
}

const predefined: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescape(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|([a-z]{2,4}));|&/g, (ref, decimal, hex, name) => {
    const known = name === undefined ? undefined : predefined[name as string]
    if (known !== undefined) return known
    const point = decimal === undefined ? parseInt(hex as string, 16) : Number(decimal)
    if (ref === '&' || !(point > 0 && point <= 0x10ffff)) throw new MalformedXml('unsupported entity')
    return String.fromCodePoint(point)
  })
}

/** Returns the first element along the path of names, each among the direct children of the one before. */
export function findElement(
  element: XmlElement | undefined,
  ...path: readonly string[]
): XmlElement | undefined {
  let at = element
  for (const name of path) at = at?.children.find((child) => child.name === name)
  return at
}

/** Returns the text along the path, or undefined if there is none. */
export function findText(element: XmlElement | undefined, ...path: readonly string[]): string | undefined {
  const text = findElement(element, ...path)?.text
  return text === '' ? undefined : text
}
