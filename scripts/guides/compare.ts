/**
 * Whether a block printed what its page says. `…` in the documented output stands for anything, as a name in a JSON object for all
 * other names; in JSON, so do values that differ in every run (keys of messages, times). Everything else must be the same. Pure.
 */

/** Fields of answers whose value differs in every run. */
const changing =
  /^(msgKey|reportId|token|schema|expired|cursor|webhookId|secret|password|clientId|keyId|key|\w*Time|\w*At|at|ms|time)$/

/** What differs, in one sentence; null when it is as documented. */
export function differenceOf(documented: string, printed: string, language: string): string | null {
  return language === 'json' ? compareJson(documented, printed) : compareText(documented, printed)
}

function compareText(documented: string, printed: string): string | null {
  const wanted = lines(documented)
  const found = lines(printed)
  // A line of … alone stands for any number of lines.
  const pattern = wanted
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${likeLine(line)}\\n`))
    .join('')
  if (new RegExp(`^${pattern}$`).test(found.map((line) => `${line}\n`).join(''))) return null
  const at = wanted.findIndex((line, index) => !new RegExp(`^${likeLine(line)}$`).test(found[index] ?? ''))
  return `line ${at + 1} must be '${wanted[at] ?? '(no more lines)'}', not '${found[at] ?? '(no more lines)'}'`
}

/** Runs of spaces are columns, whose width depends on what is in them. */
function likeLine(line: string): string {
  return line
    .trim()
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(/ +/g, ' +'))
    .join('.*')
}

function lines(text: string): string[] {
  return text
    .replace(/\s+$/, '')
    .split('\n')
    .map((line) => line.trim())
}

/** Several documents, one after the other, are compared one by one. */
function compareJson(documented: string, printed: string): string | null {
  const wanted = documents(documented)
  const found = documents(printed)
  if (wanted.length !== found.length)
    return `${wanted.length} JSON document(s) are documented, ${found.length} printed: ${printed.slice(0, 200)}`
  for (const [index, document] of wanted.entries()) {
    const difference = compareValues(document, found[index], '')
    if (difference !== null) return difference
  }
  return null
}

function compareValues(wanted: unknown, found: unknown, path: string): string | null {
  if (wanted === '…') return found === undefined ? `${path} is missing` : null
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found)) return `${path} must be a list`
    const rest = wanted.at(-1) === '…'
    const listed = rest ? wanted.slice(0, -1) : wanted
    if (rest ? found.length < listed.length : found.length !== listed.length)
      return `${path} must have ${listed.length} entries, not ${found.length}`
    return first(listed.map((value, index) => compareValues(value, found[index], `${path}[${index}]`)))
  }
  if (isRecord(wanted)) {
    if (!isRecord(found)) return `${path} must be an object`
    const names = new Set([...Object.keys(wanted), ...Object.keys(found)])
    return first(
      [...names].map((name) => {
        const inner = path === '' ? name : `${path}.${name}`
        if (name === '…') return null
        if (!(name in wanted)) return '…' in wanted ? null : `${inner} is printed and not documented`
        if (!(name in found)) return `${inner} is documented and not printed`
        if (changing.test(name) && typeof wanted[name] === typeof found[name]) return null
        return compareValues(wanted[name], found[name], inner)
      }),
    )
  }
  if (typeof wanted === 'string' && typeof found === 'string')
    return new RegExp(`^${likeLine(wanted)}$`, 's').test(found.trim()) ? null : differ(path, wanted, found)
  return wanted === found ? null : differ(path, wanted, found)
}

function differ(path: string, wanted: unknown, found: unknown): string {
  return `${path} must be ${JSON.stringify(wanted)}, not ${JSON.stringify(found)}`
}

function first(differences: readonly (string | null)[]): string | null {
  return differences.find((difference) => difference !== null) ?? null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON documents that follow each other, on one line or over several. */
function documents(text: string): unknown[] {
  const found: unknown[] = []
  let rest = text.trim()
  while (rest !== '') {
    const end = ends(rest).find((position) => isJson(rest.slice(0, position)))
    if (end === undefined) return [...found, rest]
    found.push(JSON.parse(rest.slice(0, end)))
    rest = rest.slice(end).trim()
  }
  return found
}

/** Where a document may end: behind a closing bracket, or at the end. */
function ends(text: string): number[] {
  return [...text.matchAll(/[}\]]/g)].map(({ index }) => index + 1).concat(text.length)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
