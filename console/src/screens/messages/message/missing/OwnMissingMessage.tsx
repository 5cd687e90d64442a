/** Shown to client users for an unknown msgKey. */
import { Link } from '@tanstack/react-router'
import { PageHead } from '../../../../components/PageHead.tsx'
import { useTexts } from '../../../../texts/texts.ts'
import { missingTexts } from './texts.ts'

interface Props {
  readonly msgKey: string
  readonly onRetry: () => void
}

export function OwnMissingMessage({ msgKey, onRetry }: Props) {
  const t = useTexts(missingTexts)
  return (
    <>
      <PageHead title={t.title} hint={<span className="mono wrap">{msgKey}</span>} />
      <section className="card missing">
        <p>{t.ownMissing}</p>
        <div className="inline">
          <button type="button" className="button primary" onClick={onRetry}>
            {t.retry}
          </button>
          <Link className="button" to="/messages" search={{}}>
            {t.search}
          </Link>
        </div>
      </section>
    </>
  )
}
