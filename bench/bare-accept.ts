/** Starts the accept process of a bare variant, which is the program without the gateway that the bench compares with. */
import { fileURLToPath } from 'node:url'
import type { BareAcceptSettings } from './bare/accept.ts'
import type { Publishing } from './bare/publish.ts'
import { startProgram, type Program } from './programs.ts'
import type { BareName } from './rounds.ts'

const program = fileURLToPath(new URL('./bare/accept.ts', import.meta.url))

export const getPublishing = (variant: BareName): Publishing => (variant === 'grouped' ? 'grouped' : 'single')

export async function startBareAccept(
  brokerUrl: string,
  variant: BareName,
  queue: string,
): Promise<Program & { readonly port: number }> {
  const settings: BareAcceptSettings = { brokerUrl, queue, publishing: getPublishing(variant) }
  const started = await startProgram({
    name: `${variant} accept`,
    args: [program, JSON.stringify(settings)],
    ready: (line) => (line['ready'] === 'bare accept' ? (line['port'] as number) : undefined),
  })
  return { ...started, port: started.readyValue }
}
