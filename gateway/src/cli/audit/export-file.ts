/**
 * The file of `postern audit export`: rows and a checkpoint, one JSON document per line, readable only by its
 * owner. Each page is written before the next is read. An interrupted export is truncated to its complete pages,
 * and removed if it has no row.
 */
import { open, rm, type FileHandle } from 'node:fs/promises'
import { safeText } from '../../platform/logging/log-error.ts'
import type { Checkpoint } from '../../identity/audit/queries.ts'
import { OperationError } from '../../operations/errors.ts'
import { FailedError } from '../errors.ts'
import type { Result } from '../result.ts'

export interface ExportPage {
  readonly items: readonly { readonly seq: number }[]
  /** The last row of the whole export. */
  readonly last: Checkpoint
}

/** The complete part of the file. */
interface Written {
  rows: number
  /** The last row. */
  seq: number
  bytes: number
}

/** Fails if the file exists. `pages` yields at least one page; its rows follow sequence number `after`. */
export async function writeExport(
  path: string,
  after: number,
  pages: AsyncIterable<ExportPage>,
): Promise<Result> {
  const file = await createExport(path)
  const written: Written = { rows: 0, seq: after, bytes: 0 }
  try {
    const checkpoint = await writePages(file, path, pages, written)
    // A disk may report only now that it is full.
    await file.close().catch(failedWrite(path))
    return exportedResult(path, written.rows, checkpoint)
  } catch (error) {
    throw await truncateToCompleteRows(file, path, written, error)
  }
}

function createExport(path: string): Promise<FileHandle> {
  return open(path, 'wx', 0o600).catch((error: unknown) => {
    throw new FailedError(
      `cannot write ${path}: ${(error as Error).message}; name a file that does not exist, in a writable directory`,
    )
  })
}

async function writePages(
  file: FileHandle,
  path: string,
  pages: AsyncIterable<ExportPage>,
  written: Written,
): Promise<Checkpoint> {
  let checkpoint: Checkpoint | undefined
  for await (const { items, last } of pages) {
    checkpoint = last
    written.bytes += await writeLines(file, path, items)
    written.rows += items.length
    written.seq = items.at(-1)?.seq ?? written.seq
  }
  await writeLines(file, path, [checkpoint!])
  return checkpoint!
}

/** Returns the number of bytes. */
async function writeLines(file: FileHandle, path: string, documents: readonly unknown[]): Promise<number> {
  const lines = Buffer.from(documents.map((document) => `${JSON.stringify(document)}\n`).join(''))
  // `write` could write only a part, for example if the disk fills up.
  await file.appendFile(lines).catch(failedWrite(path))
  return lines.length
}

function failedWrite(path: string): (error: unknown) => never {
  return (error) => {
    throw new FailedError(
      `cannot write ${path}: ${(error as Error).message}; free space there, or name a file on another disk`,
    )
  }
}

/** Returns the error to report. A file without a row is removed, so that the same command can be run again. */
async function truncateToCompleteRows(
  file: FileHandle,
  path: string,
  { rows, seq, bytes }: Written,
  error: unknown,
): Promise<unknown> {
  // Report the first error, not an error of the cleanup.
  const partialRowNote = await file.truncate(bytes).then(
    () => '',
    () => ', possibly with a partial row at the end',
  )
  await file.close().catch(() => undefined)
  if (rows === 0) {
    await rm(path, { force: true }).catch(() => undefined)
    return error
  }
  const isExplained = error instanceof FailedError || error instanceof OperationError
  const why = isExplained ? error.message : safeText(error)
  return new FailedError(
    `export interrupted: ${path} contains rows up to ${seq}, without a checkpoint${partialRowNote}; export the rest to another file with --after ${seq}: ${why}`,
  )
}

function exportedResult(path: string, rows: number, last: Checkpoint): Result {
  return {
    json: { rows, last },
    lines: [`${rows} rows written to ${path}; last row ${last.seq} ${last.hash}`],
  }
}
