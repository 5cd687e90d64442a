/** Shown for an unknown address, or for a screen that client users do not have. */
import { PageHead } from '../components/PageHead.tsx'
import { shared } from '../texts/shared.ts'
import { useTexts } from '../texts/texts.ts'

export function NotFound() {
  const t = useTexts(shared)
  return <PageHead title={t.notFoundTitle} hint={t.notFound} />
}
