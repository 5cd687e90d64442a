/**
 * The sidebar as a tree of folders. Pages that `sections` does not name follow the named ones in address
 * order.
 */

interface Section {
  readonly folder: string
  readonly label: string
  readonly ko: string
  /** The first pages in reading order. The page of the folder itself is always first. */
  readonly order: readonly string[]
}

const sections: readonly Section[] = [
  { folder: 'start', label: 'Start', ko: '시작하기', order: ['first-message', 'first-carrier'] },
  {
    folder: 'guides',
    label: 'Guides',
    ko: '가이드',
    order: [
      ...['send', 'receive-reports', 'webhooks', 'replies', 'one-time-codes', 'campaign', 'fallback'],
      ...['alimtalk-with-fallback', 'senders', 'advertising', 'send-over-smpp'],
      ...['typescript-client', 'client-libraries'],
    ],
  },
  {
    folder: 'operations',
    label: 'Operations',
    ko: '운영',
    order: [
      ...['install', 'compose', 'kubernetes', 'packages', 'connect-a-carrier', 'routes', 'command-line'],
      ...['console', 'incidents', 'runbooks', 'observability', 'overload'],
    ],
  },
  {
    folder: 'reference',
    label: 'Reference',
    ko: '참조',
    order: [
      'codes',
      'reports',
      'limits',
      'batches',
      'authentication',
      'configuration',
      'commands',
      'rules',
      'connectors',
    ],
  },
  { folder: 'concepts', label: 'Concepts', ko: '개념', order: ['guarantees', 'life-of-a-message'] },
  { folder: 'evidence', label: 'Evidence', ko: '측정 결과', order: [] },
  {
    folder: 'contributing',
    label: 'Contributing',
    ko: '기여',
    order: ['architecture', 'tour', 'tests', 'writing'],
  },
]

/** Labels of subfolders. */
const labels: Readonly<Record<string, readonly [label: string, ko: string]>> = {
  connectors: ['Connectors', '커넥터'],
  decisions: ['Decisions', '설계 결정'],
  simulator: ['Simulator', '시뮬레이터'],
}

/**
 * Excludes the front page, pages of single codes, which the search finds, and Korean pages, which replace
 * English ones.
 */
export function isUnlisted(address: string): boolean {
  return address === 'index' || /^ko(?:\/|$)/.test(address) || address.startsWith('reference/codes/')
}

/** Returns the sidebar configuration of Starlight. Throws if a page has no section. */
export function starlightSidebar(addresses: readonly string[]): object[] {
  const listed = addresses.filter((address) => !isUnlisted(address))
  const stray = listed.find((address) => !sections.some(({ folder }) => isWithin(address, folder)))
  if (stray !== undefined) throw new Error(`the page ${stray} is in no section of the sidebar`)
  return sections.map(({ folder, label, ko, order }) => ({
    label,
    translations: { ko },
    collapsed: folder === 'evidence' || folder === 'contributing',
    items: listItems(
      folder,
      listed.filter((address) => isWithin(address, folder)),
      order,
    ),
  }))
}

function isWithin(address: string, folder: string): boolean {
  return address === folder || address.startsWith(`${folder}/`)
}

function listItems(folder: string, addresses: readonly string[], order: readonly string[]): object[] {
  const folderPage = addresses.includes(folder) ? [{ slug: folder }] : []
  const below = addresses.filter((address) => address !== folder)
  const names = Map.groupBy(below, (address) => address.slice(folder.length + 1).split('/', 1)[0]!)
  const ranked = [...names.keys()].sort((a, b) => rank(order, a) - rank(order, b) || (a < b ? -1 : 1))
  return [
    ...folderPage,
    ...ranked.map((name) => {
      const pages = names.get(name)!
      const path = `${folder}/${name}`
      if (pages.length === 1 && pages[0] === path) return { slug: path }
      const [label, ko] = labels[name] ?? [name, name]
      return { label, translations: { ko }, collapsed: true, items: listItems(path, pages, []) }
    }),
  ]
}

function rank(order: readonly string[], name: string): number {
  const index = order.indexOf(name)
  return index < 0 ? order.length : index
}
