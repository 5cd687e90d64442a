/**
 * The pages whose shell blocks run, in groups. The first page of a group starts what the others use, as for a
 * reader who begins with it; each page has its own shell.
 */
import { globSync } from 'node:fs'
import { projectRoot } from '../../engines/paths.ts'

export interface PageGroup {
  readonly first: string
  readonly others: readonly string[]
}

/** Returns the groups of the given pages, or all groups. `short` skips the installation. */
export function chooseGroups(short: boolean, given: readonly string[]): PageGroup[] {
  const found = globSync('docs/{guides,ko}/*.md', { cwd: projectRoot }).sort()
  // A migration guide adds a route to a carrier, after which `postern demo` of other guides refuses to run.
  const isMove = (page: string): boolean => page.includes('/move-from-')
  const guides = [
    'docs/start/first-message.md',
    ...found.filter((page) => !isMove(page)),
    ...found.filter(isMove),
  ]
  const isChosen = (page: string): boolean => given.length === 0 || given.includes(page)
  const groups: PageGroup[] = [
    { first: 'README.md', others: guides.filter(isChosen) },
    ...(short
      ? []
      : [{ first: 'docs/operations/packages.md', others: ['gateway/README.md'].filter(isChosen) }]),
  ]
  const known = groups.flatMap(({ first, others }) => [first, ...others])
  const unknown = given.find((page) => !known.includes(page))
  if (unknown !== undefined) throw new Error(`guide '${unknown}' not found; choose from ${known.join(', ')}`)
  return groups.filter(({ first, others }) => isChosen(first) || others.length > 0)
}
