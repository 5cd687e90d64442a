/** The pages whose shell blocks run, in groups that have a copy of the checkout and a database each. */
import { globSync } from 'node:fs'
import { projectRoot } from '../../engines/paths.ts'

export interface PageGroup {
  /** The page whose gateway runs while the others run; null if they start their own. */
  readonly running: string | null
  readonly pages: readonly string[]
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
  const gatewayPage = 'gateway/README.md'
  const packagePage = 'docs/operations/packages.md'
  const packagePages = short ? [] : [packagePage, gatewayPage]
  const known = ['README.md', ...guides, ...packagePages]
  const unknown = given.find((page) => !known.includes(page))
  if (unknown !== undefined) throw new Error(`guide '${unknown}' not found; choose from ${known.join(', ')}`)
  const chosen = guides.filter(isChosen)
  return [
    ...(isChosen('README.md') || chosen.length > 0 ? [{ running: 'README.md', pages: chosen }] : []),
    // The first installs the package that the second runs.
    { running: null, pages: packagePages.filter((page) => isChosen(page) || isChosen(gatewayPage)) },
  ].filter(({ running, pages }) => running !== null || pages.length > 0)
}
