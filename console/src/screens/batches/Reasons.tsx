/** Why messages failed and lines were refused: a row per code with its text, the most frequent first. */
import type { ReactNode } from 'react'
import { Section } from '../../components/Section.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import type { BatchDetails, Part } from './progress.ts'
import { batchesTexts } from './texts.ts'

export function Failures({ batch: { outcomes, failed } }: { readonly batch: BatchDetails }) {
  const t = useTexts(batchesTexts)
  const rows = outcomes.filter(({ delivered }) => !delivered)
  return (
    <Section title={t.failures}>
      {rows.length === 0 ? (
        <p className="muted">{t.noFailures}</p>
      ) : (
        <ul className="batch-reasons">
          {rows.map(({ code, text, action, messages }) => (
            <Reason key={code} code={code} text={text} part="failed" count={messages} total={failed}>
              {action}
            </Reason>
          ))}
        </ul>
      )}
    </Section>
  )
}

export function Refusals({ batch: { codes, refused } }: { readonly batch: BatchDetails }) {
  const t = useTexts(batchesTexts)
  return (
    <Section title={t.refusals}>
      {codes.length === 0 ? (
        <p className="muted">{t.noRefusals}</p>
      ) : (
        <ul className="batch-reasons">
          {codes.map(({ code, text, lines }) => (
            <Reason key={code} code={code} text={text} part="refused" count={lines} total={refused} />
          ))}
        </ul>
      )}
    </Section>
  )
}

interface ReasonProps {
  readonly code: string
  readonly text: string
  readonly part: Part
  readonly count: number
  readonly total: number
  /** Next step for the operator. */
  readonly children?: ReactNode
}

function Reason({ code, text, part, count, total, children }: ReasonProps) {
  const { language } = usePreferences()
  return (
    <li>
      <span className="mono">{code}</span>
      <span>{text}</span>
      <strong className="number">{formatCount(count, language)}</strong>
      <span className="batch-bar small" aria-hidden="true">
        <span className={part} style={{ flexGrow: count }} />
        <span style={{ flexGrow: Math.max(0, total - count) }} />
      </span>
      {children === undefined ? null : <span className="small muted batch-advice">{children}</span>}
    </li>
  )
}
