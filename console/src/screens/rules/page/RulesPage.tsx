/**
 * Common head of the screens for held messages, rules, caps and suppression: a link to each, with a current count except for
 * suppression.
 */
import '../../../components/filters.css'
import './rules-page.css'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRead } from '../../../api/queries.ts'
import { PageHead } from '../../../components/PageHead.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { useSession } from '../../../session/session.ts'
import { formatCount, formatDuration } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import { rulesPageTexts } from './texts.ts'

/** Page limit of the API; a longer list is shown as `200+`. */
const maxCounted = 200
const everyMs = 10_000
const nearlyUsedPercent = 70

export function RulesPage({ children }: { readonly children: ReactNode }) {
  const t = useTexts(rulesPageTexts)
  return (
    <>
      <PageHead title={t.title} />
      <nav aria-label={t.parts}>
        <ul className="stats parts">
          <HeldPart />
          <SwitchesPart />
          <CapsPart />
          <Part to="/rules/suppression" label={t.suppression} value={t.suppressionValue}>
            {t.suppressionHint}
          </Part>
        </ul>
      </nav>
      {children}
    </>
  )
}

function HeldPart() {
  const t = useTexts(rulesPageTexts)
  const { language } = usePreferences()
  const { data } = useRead('listHeld', { query: { limit: maxCounted } }, { everyMs })
  const [oldest] = data?.items ?? []
  const age = (): string => formatDuration((Date.now() - Date.parse(oldest?.since ?? '')) / 1_000, language)
  return (
    <Part to="/rules" label={t.held} value={useCount(data)} tone={oldest === undefined ? undefined : 'warn'}>
      {data === undefined ? null : oldest === undefined ? t.heldNone : t.heldOldest(age())}
    </Part>
  )
}

function SwitchesPart() {
  const t = useTexts(rulesPageTexts)
  const { language } = usePreferences()
  const { data } = useRead('listRules', {}, { everyMs })
  const switched = data?.rules.filter(({ control }) => control === 'switch')
  const off = switched?.filter(({ enabled }) => !enabled)
  return (
    <Part
      to="/rules/switches"
      label={t.switches}
      value={off === undefined ? '–' : formatCount(off.length, language)}
    >
      {switched === undefined ? null : t.switchesHint(formatCount(switched.length, language))}
    </Part>
  )
}

function CapsPart() {
  const t = useTexts(rulesPageTexts)
  const { language } = usePreferences()
  const query = { usedPercent: nearlyUsedPercent, limit: maxCounted }
  const { data } = useRead('listCaps', { query }, { everyMs })
  const usedUp = data?.items.filter(({ used, max }) => used >= max).length ?? 0
  const tone = usedUp > 0 ? 'bad' : (data?.items.length ?? 0) > 0 ? 'warn' : undefined
  return (
    <Part to="/rules/caps" label={t.caps} value={useCount(data)} tone={tone}>
      {data === undefined
        ? null
        : usedUp > 0
          ? t.capsUp(formatCount(usedUp, language))
          : data.items.length === 0
            ? t.capsNone
            : null}
    </Part>
  )
}

function useCount(
  data: { readonly items: readonly unknown[]; readonly next: string | null } | undefined,
): string {
  const t = useTexts(rulesPageTexts)
  const { language } = usePreferences()
  if (data === undefined) return '–'
  const count = formatCount(data.items.length, language)
  return data.next === null ? count : t.atLeast(count)
}

interface PartProps {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: string
  readonly value: string
  readonly tone?: 'bad' | 'warn' | undefined
  readonly children?: ReactNode
}

function Part({ to, label, value, tone, children }: PartProps) {
  return (
    <li>
      <Link
        to={to}
        className={tone === undefined ? 'card part' : `card part tone-${tone}`}
        activeOptions={{ exact: true, includeSearch: false }}
      >
        <span className="part-label">{label}</span>
        <span className="part-value number">{value}</span>
        <span className="small muted">{children}</span>
      </Link>
    </li>
  )
}

/** Names the roles that can make a change, for operators who lack the right. */
export function PermissionNotice({ who }: { readonly who: 'operators' | 'admins' | 'support' }) {
  const t = useTexts(rulesPageTexts)
  const { operator } = useSession()
  return <p className="muted">{t.mayNot(operator?.role ?? '', t[who])}</p>
}
