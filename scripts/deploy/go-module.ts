/** Files of a published Go module. */
import { run } from './tools-root.ts'

/** The folder of a module in Go's cache; it is fetched if it is not there. */
export function goModule(name: string, version: string): string {
  const described = run('go', ['mod', 'download', '-json', `${name}@${version}`])
  return (JSON.parse(described) as { Dir: string }).Dir
}
