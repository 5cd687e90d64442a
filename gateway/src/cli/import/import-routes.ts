/**
 * `postern route import`: prints the commands that create the routes and accounts of another gateway's
 * configuration.
 */
import { open } from 'node:fs/promises'
import { FailedError, UsageError } from '../errors.ts'
import type { Result } from '../result.ts'
import type { ImportedConfiguration } from './imported.ts'
import { importJasmin } from './jasmin.ts'
import { importKannel } from './kannel.ts'
import { toCommands, toScript } from './script.ts'

export interface RouteImportOptions {
  readonly from: 'jasmin' | 'kannel'
  readonly channels: readonly string[]
}

/** Configurations are typically a few kilobytes. */
const maxBytes = 1_000_000
const readers: Readonly<Record<RouteImportOptions['from'], (content: string) => ImportedConfiguration>> = {
  jasmin: importJasmin,
  kannel: importKannel,
}

export async function importRoutes(file: string, { from, channels }: RouteImportOptions): Promise<Result> {
  const imported = readers[from](await read(file))
  if (imported.routes.length === 0 && imported.accounts.length === 0)
    throw new FailedError(
      [`${file} contains no SMPP link and no user in the format of ${from}`, ...imported.notes].join('\n'),
    )
  const names = channels.join(',')
  const { notes, secrets } = imported
  return {
    json: { commands: toCommands(imported, names), secrets, notes },
    lines: toScript(imported, names, file),
  }
}

async function read(file: string): Promise<string> {
  const handle = await open(file).catch((error: unknown) => {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message}`)
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0)
    if (bytesRead > maxBytes) throw new UsageError(`${file} exceeds ${maxBytes} bytes; split it`)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
