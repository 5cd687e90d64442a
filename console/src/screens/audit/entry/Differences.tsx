/** Shows the fields that a change affected, and the other details of an audit row. */
import { useTexts } from '../../../texts/texts.ts'
import { readDetails, showValue } from './differences.ts'
import { entryTexts } from './texts.ts'

export function Differences({ details }: { readonly details: unknown }) {
  const t = useTexts(entryTexts)
  const { changes, others } = readDetails(details)
  if (changes.length + others.length === 0) return <p className="muted">{t.noDetails}</p>
  return (
    <>
      {changes.length === 0 ? null : (
        <section className="card" aria-labelledby="changes-title">
          <h2 id="changes-title">{t.changes}</h2>
          <table className="table differences">
            <thead>
              <tr>
                <th scope="col">{t.field}</th>
                <th scope="col">{t.before}</th>
                <th scope="col">{t.after}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ field, before, after }) => (
                <tr key={field}>
                  <th scope="row" data-label={t.field} className="mono">
                    {field}
                  </th>
                  <td data-label={t.before}>
                    <Value value={before} as="del" />
                  </td>
                  <td data-label={t.after}>
                    <Value value={after} as="ins" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {others.length === 0 ? null : (
        <section className="card" aria-labelledby="details-title">
          <h2 id="details-title">{t.details}</h2>
          <dl className="audit-facts">
            {others.map(({ field, value }) => (
              <div key={field} className="audit-fact">
                <dt className="mono">{field}</dt>
                <dd className="mono">{showValue(value)}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  )
}

function Value({ value, as: Tag }: { readonly value: unknown; readonly as: 'del' | 'ins' }) {
  const t = useTexts(entryTexts)
  if (value === undefined || value === null) return <span className="muted">{t.notSet}</span>
  return <Tag className="mono">{showValue(value)}</Tag>
}
