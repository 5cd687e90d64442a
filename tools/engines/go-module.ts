import { run } from './tools-root.ts'

/** Returns the folder of a published module in Go's cache, and fetches it if needed. */
export function goModule(name: string, version: string): string {
  const described = run('go', ['mod', 'download', '-json', `${name}@${version}`])
  return (JSON.parse(described) as { Dir: string }).Dir
}
