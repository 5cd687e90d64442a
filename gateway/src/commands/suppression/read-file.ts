/** Reads the file of `postern suppression import`: one number in each line. Checks all of them. */
import { readNumbers } from '../../acts/suppression.ts'
import { FailedError } from '../errors.ts'
import { readInput } from '../read-input.ts'

export interface FileNumbers {
  readonly numbers: readonly string[]
  readonly fileSha256: string
}

export async function readFileNumbers(file: string): Promise<FileNumbers> {
  const { content, sha256 } = await readInput(file)
  const lines = content.split(/\r?\n/).filter((line) => line.trim() !== '')
  return { numbers: readNumbers(lines, FailedError), fileSha256: sha256 }
}
