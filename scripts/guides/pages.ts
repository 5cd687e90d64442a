/**
 * The pages whose shell blocks are run, in groups. The first page of a group starts what its others use, as for a reader who begins
 * with it; each page has a shell of its own.
 */
import { globSync } from 'node:fs'
import { projectRoot } from '../services/paths.ts'

export interface Group {
  readonly first: string
  readonly others: readonly string[]
}

/** Of the given pages, all if there are none. `short` leaves the installation out. */
export function chooseGroups(short: boolean, given: readonly string[]): Group[] {
  const found = globSync('docs/{guides,ko}/*.md', { cwd: projectRoot }).sort()
  // A guide for those who move here adds a route to a carrier, and `postern demo` of other guides refuses to run after that.
  const isMove = (page: string): boolean => page.includes('/from-')
  const guides = [...found.filter((page) => !isMove(page)), ...found.filter(isMove)]
  const chosen = (page: string): boolean => given.length === 0 || given.includes(page)
  const groups: Group[] = [
    { first: 'README.md', others: guides.filter(chosen) },
    ...(short ? [] : [{ first: 'docs/install.md', others: ['gateway/README.md'].filter(chosen) }]),
  ]
  const known = groups.flatMap(({ first, others }) => [first, ...others])
  const unknown = given.find((page) => !known.includes(page))
  if (unknown !== undefined) throw new Error(`no guide ${unknown}; choose of ${known.join(', ')}`)
  return groups.filter(({ first, others }) => chosen(first) || others.length > 0)
}
