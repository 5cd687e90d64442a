/**
 * Reads the CPU profiles of node and sums the self time, without called functions, by function and by
 * package.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
}

export interface Profile {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

export interface SelfTime {
  readonly name: string
  readonly micros: number
}

const maxFunctions = 25
const maxPackages = 20

/** Sums self time by name, without idle time. */
export function selfTimes(profile: Profile, nameOf: (node: ProfileNode) => string): SelfTime[] {
  const names = new Map(profile.nodes.map((node) => [node.id, nameOf(node)]))
  const totals = new Map<string, number>()
  profile.samples.forEach((id, index) => {
    const name = names.get(id) ?? '?'
    if (name !== '(idle)') totals.set(name, (totals.get(name) ?? 0) + (profile.timeDeltas[index] ?? 0))
  })
  return [...totals]
    .map(([name, micros]) => ({ name, micros }))
    .sort((left, right) => right.micros - left.micros)
}

export function functionName({ callFrame }: ProfileNode): string {
  const { functionName: name, url, lineNumber } = callFrame
  if (url === '') return name === '' ? '(anonymous)' : name
  return `${name === '' ? '(anonymous)' : name} ${shortPath(url)}:${lineNumber + 1}`
}

/**
 * Returns the package of a function: `gateway/src/edge`, `pg` or `node:internal/streams`; for the JavaScript engine
 * `(native)` or a name such as `(garbage collector)`.
 */
export function packageName({ callFrame }: ProfileNode): string {
  const { functionName: name, url } = callFrame
  // Functions without a source belong to the engine, or are native code called from JavaScript.
  if (url === '') return name.startsWith('(') ? name : '(native)'
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  const [first, ...rest] = shortPath(url).split('/')
  const depth = first === 'gateway' ? 2 : first!.startsWith('@') ? 1 : 0
  return [first, ...rest.slice(0, depth)].join('/')
}

function shortPath(url: string): string {
  const path = url.replace(/^file:\/\//, '')
  const at = Math.max(path.lastIndexOf('/node_modules/'), path.lastIndexOf('/gateway/'))
  return at < 0 ? path : path.slice(at + 1).replace('node_modules/', '')
}

export async function renderProfiles(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.cpuprofile')).sort()
  let text = `\nprofiles: ${folder}\n`
  for (const file of files) {
    const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as Profile
    const functions = selfTimes(profile, functionName)
    const total = functions.reduce((sum, entry) => sum + entry.micros, 0)
    text += `\n${file}: ${(total / 1e6).toFixed(1)} s busy, self time\n`
    text += renderLines(functions.slice(0, maxFunctions), total)
    text += `${file}: by package\n`
    text += renderLines(selfTimes(profile, packageName).slice(0, maxPackages), total)
  }
  return text
}

function renderLines(entries: readonly SelfTime[], total: number): string {
  return entries
    .map(({ name, micros }) => `${((micros / total) * 100).toFixed(1).padStart(6)} %  ${name}\n`)
    .join('')
}
