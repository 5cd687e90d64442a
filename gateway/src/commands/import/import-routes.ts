/** `postern route import`: prints the commands that make the routes and accounts of another gateway's configuration. Changes nothing. */
import { open } from 'node:fs/promises'
import { FailedError, UsageError } from '../errors.ts'
import type { Result } from '../result.ts'
import type { Imported } from './imported.ts'
import { importJasmin } from './jasmin.ts'
import { importKannel } from './kannel.ts'
import { commandsOf, scriptOf } from './script.ts'

export interface ImportOptions {
  readonly from: 'jasmin' | 'kannel'
  readonly channels: readonly string[]
}

/** Configurations have kilobytes. */
const maxBytes = 1_000_000
const readers: Readonly<Record<ImportOptions['from'], (content: string) => Imported>> = {
  jasmin: importJasmin,
  kannel: importKannel,
}

export async function importRoutes(file: string, { from, channels }: ImportOptions): Promise<Result> {
  const imported = readers[from](await read(file))
  if (imported.routes.length === 0 && imported.accounts.length === 0)
    throw new FailedError(
      [`${file} has no SMPP link and no user in the form of ${from}`, ...imported.notes].join('\n'),
    )
  const names = channels.join(',')
  const { notes, secrets } = imported
  return {
    json: { commands: commandsOf(imported, names), secrets, notes },
    lines: scriptOf(imported, names, file),
  }
}

async function read(file: string): Promise<string> {
  const handle = await open(file).catch((error: unknown) => {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message}`)
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0)
    if (bytesRead > maxBytes)
      throw new UsageError(`${file} is longer than ${maxBytes} bytes; give a part of it`)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
