/** Reads the file of `postern sender import`: comma-separated, with column names in the first line. */
import type { SenderRow, LineError } from '../../operations/senders/import.ts'
import { validateProof } from '../../trust/senders/proofs.ts'
import { proofKinds, senderKinds, type SenderProof } from '../../trust/senders/sender.ts'
import { FailedError } from '../errors.ts'

const requiredColumns = ['clientId', 'kind', 'value'] as const
const optionalColumns = ['validUntil', 'proofKind', 'proof', 'issued'] as const
const knownColumns: readonly string[] = [...requiredColumns, ...optionalColumns]
const maxLines = 1_000_000
const maxShown = 20

export interface SenderFile {
  readonly given: readonly SenderRow[]
  /** One error for each unreadable line, or a single one for the whole file. */
  readonly errors: readonly LineError[]
}

export function readSenderFile(content: string): SenderFile {
  const lines = content.split(/\r?\n/)
  if (lines.length > maxLines) return withoutSenders(`the file exceeds ${maxLines} lines; split it`)
  const names = splitLine(lines[0] ?? '')
  const missing = requiredColumns.filter((name) => !names.includes(name))
  const unknownColumns = names.filter((name) => !knownColumns.includes(name))
  if (missing.length > 0 || unknownColumns.length > 0)
    return withoutSenders(
      `line 1 must name the columns ${requiredColumns.join(', ')}, and optionally ${optionalColumns.join(', ')}; ` +
        (missing.length > 0 ? `missing: ${missing.join(', ')}` : `unknown: '${unknownColumns[0]}'`),
    )
  const given: SenderRow[] = []
  const errors: LineError[] = []
  for (const [index, text] of lines.slice(1).entries()) {
    if (text.trim() === '') continue
    const line = index + 2
    try {
      given.push(readLine(line, Object.fromEntries(zip(names, splitLine(text)))))
    } catch (error) {
      errors.push({ line, error: (error as Error).message })
    }
  }
  return given.length === 0 && errors.length === 0
    ? withoutSenders('the file contains no sender')
    : { given, errors }
}

const withoutSenders = (error: string): SenderFile => ({ given: [], errors: [{ line: 0, error }] })

/** Throws the first errors if there are any. */
export function requireNone(errors: readonly LineError[]): void {
  if (errors.length === 0) return
  const sorted = [...errors].sort((left, right) => left.line - right.line)
  const shown = sorted
    .slice(0, maxShown)
    .map(({ line, error }) => (line === 0 ? error : `line ${line}: ${error}`))
  const more = errors.length > maxShown ? [`and ${errors.length - maxShown} more`] : []
  throw new FailedError(
    [...shown, ...more, 'Nothing was stored; correct the file and run the command again'].join('\n'),
  )
}

type Cell = (name: string) => string | undefined

function readLine(line: number, row: Readonly<Record<string, string>>): SenderRow {
  const cell: Cell = (name) => (row[name] === '' ? undefined : row[name])
  return {
    line,
    account: cell('clientId') ?? '',
    kind: oneOf('kind', cell('kind') ?? '', senderKinds),
    value: cell('value') ?? '',
    validUntil: cell('validUntil') ?? null,
    proof: readProofCells(cell),
  }
}

function readProofCells(cell: Cell): SenderProof | null {
  const [kind, reference, issued] = [cell('proofKind'), cell('proof'), cell('issued')]
  if (kind === undefined && reference === undefined && issued === undefined) return null
  if (kind === undefined || reference === undefined)
    throw new Error('a proof requires both a kind and a reference')
  return validateProof({ kind: oneOf('proofKind', kind, proofKinds), reference, issued: issued ?? null })
}

function oneOf<Value extends string>(name: string, value: string, values: readonly Value[]): Value {
  const found = values.find((allowed) => allowed === value)
  if (found !== undefined) return found
  throw new Error(`${name} must be one of ${values.join(', ')}, not '${value}'`)
}

/** Splits a line. Cells may be in double quotes, which are doubled inside. */
function splitLine(line: string): string[] {
  const cells: string[] = []
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:\s*"((?:[^"]|"")*)"\s*|([^,]*))/g))
    cells.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim())
  return cells
}

function zip(names: readonly string[], cells: readonly string[]): [string, string][] {
  if (cells.length !== names.length)
    throw new Error(`must have ${names.length} columns like line 1, not ${cells.length}`)
  return names.map((name, index) => [name, cells[index]!])
}
