/** Reads the file of `postern suppression import`: one number in each line. Checks all of them. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import { readNumbers } from '../../acts/suppression.ts'
import { FailedError, UsageError } from '../errors.ts'

export interface FileNumbers {
  readonly numbers: readonly string[]
  readonly fileSha256: string
}

export async function readFileNumbers(file: string): Promise<FileNumbers> {
  const content = await read(file)
  const lines = content.split(/\r?\n/).filter((line) => line.trim() !== '')
  return {
    numbers: readNumbers(lines, FailedError),
    fileSha256: createHash('sha256').update(content).digest('hex'),
  }
}

async function read(file: string): Promise<string> {
  try {
    return file === '-' ? await readStream(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message}`)
  }
}
