/** The sidebar by reader. Folders list what is in them; pages that nobody has given a place are under _More_. */

export type Entry = string | { readonly label: string; readonly ko?: string; readonly folder: string }

export interface Section {
  readonly label: string
  readonly ko: string
  readonly entries: readonly Entry[]
}

export const sidebar: readonly Section[] = [
  {
    label: 'Client developers',
    ko: '클라이언트 개발자',
    entries: [
      ...[
        'guides',
        'guides/one-time-codes',
        'guides/alimtalk-with-fallback',
        'guides/nightly-reconciliation',
      ],
      ...[
        'guides/campaign',
        'guides/receiver-down',
        'guides/rcs-with-sms-fallback',
        'guides/receive-reports',
      ],
      ...['authentication', 'sending', 'reports', 'webhooks', 'limits', 'dry-run'],
      ...['senders', 'advertising', 'clients', 'interop', 'codes', 'known-limits'],
    ],
  },
  {
    label: 'Operators',
    ko: '운영자',
    entries: [
      ...['install', 'upgrade', 'configuration', 'add-a-carrier', 'routes'],
      { label: 'Connectors', ko: '커넥터', folder: 'connectors' },
      ...['guides/from-the-public-service', 'guides/from-kannel', 'guides/from-jasmin', 'trust'],
      { label: 'Operations', ko: '운영', folder: 'operations' },
      ...['overload', 'scale', 'cli', 'security', 'changelog'],
    ],
  },
  {
    label: 'Contributors',
    ko: '기여자',
    entries: [
      ...[
        'contributing',
        'architecture',
        'tour',
        'how-a-step-is-submitted',
        'glossary',
        'add-a-provider',
        'add-a-connector',
        'add-a-rule',
        'tests',
        'releasing',
        'governance',
        'support',
      ],
      { label: 'Simulator', ko: '시뮬레이터', folder: 'simulator' },
      { label: 'Decisions', ko: '설계 결정', folder: 'adr' },
    ],
  },
  {
    label: 'Evidence',
    ko: '측정 결과',
    entries: [
      ...[
        'bench/results',
        'bench',
        'matrix',
        'chaos',
        'fairness',
        'soak',
        'growth',
        'chain',
        'reports-at-size',
      ],
      ...['webhooks-at-load', 'connector-rates', 'conformance', 'api-testing', 'fuzz', 'first-message'],
    ],
  },
]

/** Pages that are reached in another way: the front page, and pages of single codes, by search and from the list. */
function isUnlisted(address: string): boolean {
  return address === 'index' || address === 'ko' || /^(?:ko\/)?codes\/./.test(address)
}

/** What Starlight reads, for the pages that exist. */
export function starlightSidebar(addresses: readonly string[]): object[] {
  const rest = addresses.filter(
    (address) => !isUnlisted(address) && !isListed(address) && !address.startsWith('ko/'),
  )
  const more = { label: 'More', translations: { ko: '기타' }, items: rest.map((slug) => ({ slug })) }
  const exists = (address: string): boolean => addresses.includes(address)
  const sections = sidebar.map(({ label, ko, entries }) => ({
    ...{ label, translations: { ko }, collapsed: label === 'Evidence' },
    items: entries.flatMap((entry): object[] => {
      if (typeof entry === 'string') return exists(entry) ? [{ slug: entry }] : []
      const translations = entry.ko === undefined ? {} : { translations: { ko: entry.ko } }
      return [
        {
          label: entry.label,
          ...translations,
          collapsed: true,
          items: [{ autogenerate: { directory: entry.folder } }],
        },
      ]
    }),
  }))
  return rest.length === 0 ? sections : [...sections, more]
}

/** Whether a page is listed, by itself or by its folder. */
function isListed(address: string): boolean {
  const entries = sidebar.flatMap((section) => section.entries)
  return entries.some((entry) =>
    typeof entry === 'string'
      ? entry === address
      : address === entry.folder || address.startsWith(`${entry.folder}/`),
  )
}
