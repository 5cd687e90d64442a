/**
 * Finds circles of imports. At every level of the tree, the files and folders that stand side by side must not import
 * each other in a circle: a folder counts as one, with all that is below it. So a file circle shows in its own folder,
 * and a circle of folders at the level where they meet. Pure.
 */
import type { ImportGraph } from './imports.ts'

export interface Circle {
  /** The folder whose entries form the circle; empty for the root. */
  readonly folder: string
  /** The entries, each importing the next, the last one the first. */
  readonly entries: readonly string[]
  /** One import for each arrow: `importing file → imported file`. */
  readonly imports: readonly string[]
}

interface Level {
  /** Entry → imported entry → one pair of files that shows it. */
  readonly arrows: Map<string, Map<string, string>>
}

export function findCircles(graph: ImportGraph): Circle[] {
  const circles: Circle[] = []
  for (const [folder, { arrows }] of byLevel(graph)) {
    for (const entries of componentsOf(arrows).map((component) => shortestCircle(arrows, component))) {
      const imports = entries.map((entry, n) => arrows.get(entry)!.get(entries[(n + 1) % entries.length]!)!)
      circles.push({ folder, entries, imports })
    }
  }
  return circles.sort((one, other) => (one.folder < other.folder ? -1 : 1))
}

function byLevel(graph: ImportGraph): Map<string, Level> {
  const levels = new Map<string, Level>()
  for (const [file, imported] of graph) {
    for (const target of imported) {
      const { folder, from, to } = meet(file, target)
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

/** The deepest folder that holds both files, and the entry of it that each of them belongs to. */
function meet(one: string, other: string): { folder: string; from: string; to: string } {
  const left = one.split('/')
  const right = other.split('/')
  let depth = 0
  while (depth < left.length - 1 && depth < right.length - 1 && left[depth] === right[depth]) depth++
  return { folder: left.slice(0, depth).join('/'), from: left[depth]!, to: right[depth]! }
}

/** Tarjan's strongly connected components, those of more than one entry. */
function componentsOf(arrows: Level['arrows']): Set<string>[] {
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

/** Breadth first from each entry of the component back to itself. */
function shortestCircle(arrows: Level['arrows'], component: ReadonlySet<string>): string[] {
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
