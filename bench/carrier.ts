/** Starts the SMSC simulator for measurements of the whole pipeline, without delays and recording. */
import { join } from 'node:path'
import { projectRoot } from './gateway.ts'
import { startProgram, type Program } from './programs.ts'

export async function startCarrier(): Promise<Program & { readonly port: number }> {
  const program = await startProgram({
    name: 'simulator',
    args: [join(projectRoot, 'simulator/src/main.ts'), 'smsc', '--port', '0', '--control-port', '0'],
    ready: (line) => (line['ready'] === 'smsc' ? (line['port'] as number) : undefined),
  })
  return { ...program, port: program.readyValue }
}
