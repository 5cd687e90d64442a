/** An address without a screen, or with one that is not for clients. */
import { PageHead } from '../components/PageHead.tsx'
import { shared } from '../texts/shared.ts'
import { useTexts } from '../texts/texts.ts'

export function NotFound() {
  const t = useTexts(shared)
  return <PageHead title={t.notFoundTitle} hint={t.notFound} />
}
