/**
 * Finds the hosts of links in a text, including disguised ones: `hxxp://`, `example[.]com`, full-width
 * letters, zero-width characters, numbers instead of a name. A hand-written scanner, linear in the length of
 * the text: Unicode regular expressions are 100 times slower.
 */
import { domainToASCII } from 'node:url'
import { plainText } from '../../channels/step-texts.ts'

/**
 * The hosts, in ASCII, that phones may derive from one link: as written, and without adjacent words in other
 * scripts. The link is allowed only if all of them are.
 */
export type LinkHosts = readonly string[]

const maxHost = 253
const none: readonly LinkHosts[] = []

/** Zero-width characters and soft hyphens split a host invisibly. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const bracketed = /[[({](?:\.|dot)[\])}]/i
const dots = /\s?[[({](?:\.|dot)[\])}]\s?/gi

/**
 * Top-level domains in other scripts. Other words in these scripts after a dot are mostly a missing space
 * after a sentence.
 */
const otherEnds = [
  '한국',
  '닷컴',
  '닷넷',
  '삼성',
  '中国',
  '中國',
  '公司',
  '网络',
  '香港',
  '台湾',
  '台灣',
  'みんな',
  'рф',
]

/**
 * Before a path any ending counts, except in Hangul, whose endings are all listed above: `OK.신청/접수` is no
 * link.
 */
const otherScript = /[a-z0-9-]\.[^\0-\x7f가-힣]+$/i

/** Finds every host with an alphabetic ending, because the list of top-level domains changes every month. */
export function findLinks(text: string, isPlain = plainText.test(text)): readonly LinkHosts[] {
  let plain = text
  if (!isPlain) plain = plain.normalize('NFKC').replace(invisible, '').replaceAll('\u3002', '.')
  if (bracketed.test(plain)) plain = plain.replace(dots, '.')
  const first = plain.indexOf('.')
  if (first < 0 && !plain.includes('://')) return none
  const links: LinkHosts[] = []
  let items = 0
  // Searched once, because every item could start a list, and only if there is an item, because the search is
  // expensive.
  let lastSecondItem: number | undefined
  for (let dot = first; dot >= 0;) {
    const start = findStart(plain, dot)
    const end = findEnd(plain, dot + 1)
    const number = findItemNumber(plain, start, dot)
    const item = number === 1 && (lastSecondItem ??= plain.lastIndexOf('2.')) < dot ? undefined : number
    const isItem = item !== undefined && (item === items + 1 || item === 1)
    if (isItem) items = item
    const link = readHost(plain, start, end, isItem)
    if (link !== null) links.push(link)
    dot = plain.indexOf('.', end)
  }
  addUnreadable(plain, links)
  return links
}

const authority = /:\/\/([^\s/?#\\<>"']{1,300})/g

/**
 * Adds the hosts after a scheme, where everything counts: an address in any notation, a name without a dot or
 * in percent encoding.
 */
function addUnreadable(text: string, links: LinkHosts[]): void {
  const known = new Set(links.flatMap((link) => (link.length === 1 ? link : [])))
  for (const match of text.matchAll(authority)) {
    const written = match[1]!
    if (known.has(written)) continue
    known.add(written)
    const start = match.index + 3 + written.lastIndexOf('@') + 1
    const end = findEnd(text, start)
    if (end === start || readHost(text, start, end) === null) links.push([written.toLowerCase()])
  }
}

/** Returns the start of the host around a dot. */
function findStart(text: string, dot: number): number {
  let start = dot
  while (start > 0 && dot - start < maxHost && isHostCode(text.charCodeAt(start - 1))) start--
  return start
}

function findEnd(text: string, from: number): number {
  let end = from
  while (end < text.length && end - from < maxHost && isHostCode(text.charCodeAt(end))) end++
  return end
}

/**
 * Returns the number before the dot of `1.First 2.Second` or `01.First 02.Second`, or undefined if there is
 * none. A list begins with 1, has at least two items, and each has the next number. Any other, such as
 * `77.cash`, can be a host.
 */
function findItemNumber(text: string, start: number, dot: number): number | undefined {
  if (start === dot || dot - start > 2) return undefined
  const digits = text.slice(start, dot)
  return /^\d{1,2}$/.test(digits) ? Number(digits) : undefined
}

/**
 * Accepts letters, digits, hyphens and dots, and in other scripts everything except spaces and punctuation.
 */
function isHostCode(code: number): boolean {
  if (code < 0x80)
    return (
      (code >= 0x61 && code <= 0x7a) ||
      (code >= 0x30 && code <= 0x39) ||
      (code >= 0x41 && code <= 0x5a) ||
      code === 0x2e ||
      code === 0x2d
    )
  return code >= 0xc0 && (code < 0x2000 || code > 0x303f)
}

function readHost(text: string, start: number, end: number, isItem = false): LinkHosts | null {
  // Skip the end of a sentence: nothing after its dot, and no dot before it.
  const written = text.slice(start, end)
  if (written.indexOf('.') === written.length - 1) return null
  const next = text.charAt(end)
  const isAuthority = text.endsWith('//', start) || text.charAt(start - 1) === '@'
  const words = written.replace(/^[.-]+|[.-]+$/g, '')
  if (isAuthority && /^\d{1,3}(?:\.\d{1,3}){3}$/.test(words)) return [words]
  // `…니다.https://` is a sentence followed by a link.
  if (next === ':' && /\.h(?:tt|xx)ps?$/i.test(words)) return null
  const withEnding = next === '/' && otherScript.test(words) ? words : cutToEnding(words)
  if (withEnding === null) return null
  if (
    isItem &&
    !isAuthority &&
    next !== '/' &&
    next !== '?' &&
    next !== ':' &&
    /^\d{1,2}\.[a-z]+$/i.test(withEnding)
  )
    return null
  const hosts = [withEnding, ...findAsciiHosts(withEnding)].map(toAscii).filter((host) => host !== '')
  return hosts.length === 0 ? null : [...new Set(hosts)]
}

/**
 * Returns the host up to its last ending, without the particle that follows it (`kr에서`); null if there is no
 * ending.
 */
function cutToEnding(words: string): string | null {
  for (let dot = words.lastIndexOf('.'); dot > 0; dot = words.lastIndexOf('.', dot - 1)) {
    const ending = toEnding(words.slice(dot + 1))
    if (ending !== null) return words.slice(0, dot + 1) + ending
  }
  return null
}

/** Finds the host in `주소bit.ly` without the word before it. */
function findAsciiHosts(withEnding: string): string[] {
  if (/^[\0-\x7f]*$/.test(withEnding)) return []
  const words = withEnding.split(/[^\0-\x7f]+/).map((word) => word.replace(/^[.-]+|[.-]+$/g, ''))
  return words.filter((word) => /[a-z0-9]\.[a-z]{2}/i.test(word))
}

function toEnding(label: string): string | null {
  const ascii = /^[a-z][a-z0-9-]{1,62}/i.exec(label)?.[0]
  if (ascii !== undefined) return /^[a-z]+$/i.test(ascii) || /^xn--/i.test(ascii) ? ascii : null
  return otherEnds.find((end) => label.startsWith(end)) ?? null
}

function toAscii(name: string): string {
  // The library is slow, and most hosts do not need it.
  return /^[a-z0-9.-]+$/i.test(name) ? name.toLowerCase() : domainToASCII(name)
}

/** Reports whether the host or one of its parent domains is in the set, with one probe for each label. */
export function isListed(host: string, domains: ReadonlySet<string>): boolean {
  for (let from = 0; ;) {
    if (domains.has(host.slice(from))) return true
    const dot = host.indexOf('.', from)
    if (dot < 0) return false
    from = dot + 1
  }
}

/** Matches endings that many owners share, such as `co.kr`: an entry of a list must be more specific. */
const shared = /^(?:(?:ac|co|com|edu|go|gov|ne|net|or|org|pe|re)\.)?[a-z]{2}$|^[^.]+$/

/** Returns the domain in normalized form, or null if the text is no domain or one that many owners share. */
export function parseDomain(text: string): string | null {
  const domain = domainToASCII(text.trim().toLowerCase())
  if (domain === '' || domain.length > maxHost || !/^[a-z0-9.-]+$/.test(domain)) return null
  return shared.test(domain) ? null : domain
}

/** Domains of link shorteners: a link under one of them can lead anywhere, and its owner can change it. */
export const shorteners: ReadonlySet<string> = new Set(
  `adf.ly bit.ly bitly.kr bl.ink buff.ly buly.kr c11.kr cutt.ly goo.gl han.gl is.gd j.mp lnkd.in me2.do muz.so ow.ly rb.gy
   rebrand.ly s.id shorturl.at shrtco.de soo.gd t.co t.ly t2m.io tiny.cc tinyurl.com url.kr v.gd vo.la vvd.bz zrr.kr`.split(
    /\s+/,
  ),
)
