/** Lists failure codes and affected number prefixes of the newest messages. */
import { Link } from '@tanstack/react-router'
import type { Data } from '../../../api/call.ts'
import { useRead } from '../../../api/queries.ts'
import { asPages } from '../../../components/as-pages.ts'
import { DataTable, type Column } from '../../../components/DataTable.tsx'
import { Section } from '../../../components/Section.tsx'
import { Time } from '../../../components/Time.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useCodes } from '../../messages/use-codes.ts'
import { failureTexts } from './failure-texts.ts'

type Code = Data<'showRouteFailures'>['codes'][number]

export function Failures({ id }: { readonly id: string }) {
  const t = useTexts(failureTexts)
  const { language } = usePreferences()
  const read = useRead('showRouteFailures', { params: { routeId: id } }, { everyMs: 10_000 })
  const columns = useColumns()
  const count = (value: number): string => formatCount(value, language)
  const { data } = read
  return (
    <Section
      title={t.title}
      hint={
        data === undefined ? undefined : (
          <>
            {t.summary(count(data.failed), count(data.sent))} <Time at={data.since} short />
          </>
        )
      }
    >
      <DataTable
        caption={t.title}
        columns={columns}
        pages={asPages(read, ({ codes }) => codes)}
        rowKey={(row) => row.newest}
        empty={data?.sent === 0 ? t.nothingSent : t.nothingFailed}
      />
    </Section>
  )
}

function useColumns(): readonly Column<Code>[] {
  const t = useTexts(failureTexts)
  const codes = useCodes()
  const { language } = usePreferences()
  return [
    {
      id: 'code',
      head: t.code,
      isRowHeader: true,
      cell: ({ code, text, carrierCode }) => {
        const meaning = codes.get(code ?? '')?.text
        return (
          <>
            {code === null ? (
              <span className="mono">{carrierCode ?? '–'}</span>
            ) : (
              <Link to="/messages" search={{ code }} className="mono">
                {code}
              </Link>
            )}{' '}
            <span lang={meaning === undefined ? 'en' : undefined}>{meaning ?? text}</span>
            {carrierCode === null ? null : (
              <div className="small muted">
                {t.carrierCodeLabel} <span className="mono">{carrierCode}</span>
              </div>
            )}
          </>
        )
      },
    },
    { id: 'failed', head: t.failed, align: 'end', cell: ({ failed }) => formatCount(failed, language) },
    { id: 'numbers', head: t.numbers, cell: ({ prefixes }) => <Numbers prefixes={prefixes} /> },
    {
      id: 'newest',
      head: t.newest,
      cell: ({ newest }) => (
        <Link to="/messages/$msgKey" params={{ msgKey: newest }}>
          {t.open}
        </Link>
      ),
    },
  ]
}

function Numbers({ prefixes }: Pick<Code, 'prefixes'>) {
  const t = useTexts(failureTexts)
  const { language } = usePreferences()
  if (prefixes.length === 0) return <span className="muted">{t.spread}</span>
  return prefixes.map(({ prefix, failed, sent }) => (
    <div key={prefix}>
      <strong>{prefix === '' ? t.allNumbers : t.beginWith(prefix)}</strong>{' '}
      <span className="muted">{t.ofSent(formatCount(failed, language), formatCount(sent, language))}</span>
    </div>
  ))
}
