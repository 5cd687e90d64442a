/**
 * Finds import cycles. On every level of the tree, a folder counts as one node with everything below it. A
 * cycle of files shows in their folder, a cycle of folders on the level of the folder that contains them all.
 */
import type { ImportGraph } from './imports.ts'

export interface ImportCycle {
  /** The folder whose entries form the cycle; empty for the root. */
  readonly folder: string
  /** Entries in import order; the last one imports the first. */
  readonly entries: readonly string[]
  /** One example per step: `importing file → imported file`. */
  readonly imports: readonly string[]
}

interface Level {
  /** Entry → imported entry → an example pair of files. */
  readonly arrows: Map<string, Map<string, string>>
}

export function findImportCycles(graph: ImportGraph): ImportCycle[] {
  const cycles: ImportCycle[] = []
  for (const [folder, { arrows }] of groupByLevel(graph)) {
    for (const entries of findComponents(arrows).map((component) => findShortestCycle(arrows, component))) {
      const imports = entries.map((entry, n) => arrows.get(entry)!.get(entries[(n + 1) % entries.length]!)!)
      cycles.push({ folder, entries, imports })
    }
  }
  return cycles.sort((one, other) => (one.folder < other.folder ? -1 : 1))
}

function groupByLevel(graph: ImportGraph): Map<string, Level> {
  const levels = new Map<string, Level>()
  for (const [file, imported] of graph) {
    for (const target of imported) {
      const { folder, from, to } = findCommonFolder(file, target)
      if (from === to) continue
      const level = levels.get(folder) ?? { arrows: new Map<string, Map<string, string>>() }
      levels.set(folder, level)
      const arrows = level.arrows.get(from) ?? new Map<string, string>()
      level.arrows.set(from, arrows)
      if (!arrows.has(to)) arrows.set(to, `${file} → ${target}`)
    }
  }
  return levels
}

/** Returns the deepest folder that contains both files, and the entry of each file in it. */
function findCommonFolder(one: string, other: string): { folder: string; from: string; to: string } {
  const left = one.split('/')
  const right = other.split('/')
  let depth = 0
  while (depth < left.length - 1 && depth < right.length - 1 && left[depth] === right[depth]) depth++
  return { folder: left.slice(0, depth).join('/'), from: left[depth]!, to: right[depth]! }
}

/** Returns Tarjan's strongly connected components with more than one entry. */
function findComponents(arrows: Level['arrows']): Set<string>[] {
  const found: Set<string>[] = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const visit = (entry: string): void => {
    index.set(entry, index.size)
    low.set(entry, index.get(entry)!)
    stack.push(entry)
    for (const next of arrows.get(entry)?.keys() ?? []) {
      if (!index.has(next)) {
        visit(next)
        low.set(entry, Math.min(low.get(entry)!, low.get(next)!))
      } else if (stack.includes(next)) {
        low.set(entry, Math.min(low.get(entry)!, index.get(next)!))
      }
    }
    if (low.get(entry) !== index.get(entry)) return
    const component = new Set(stack.splice(stack.indexOf(entry)))
    if (component.size > 1) found.push(component)
  }
  for (const entry of arrows.keys()) if (!index.has(entry)) visit(entry)
  return found
}

/** Searches breadth first from each entry back to itself. */
function findShortestCycle(arrows: Level['arrows'], component: ReadonlySet<string>): string[] {
  let shortest: string[] | undefined
  for (const start of [...component].sort()) {
    const paths: string[][] = [[start]]
    for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
      if (shortest !== undefined && path.length >= shortest.length) break
      const nexts = [...(arrows.get(path.at(-1)!)?.keys() ?? [])].filter((next) => component.has(next))
      if (nexts.includes(start)) {
        shortest = path
        break
      }
      for (const next of nexts) if (!path.includes(next)) paths.push([...path, next])
    }
  }
  return shortest!
}
