/** How a test of a client asks for what a phone has received. */
import { CopyButton } from '../../components/CopyButton.tsx'
import { useTexts } from '../../texts/texts.ts'
import { sandboxTexts } from './texts.ts'

export function ForTests({ to = '01012340001' }: { readonly to: string | undefined }) {
  const t = useTexts(sandboxTexts)
  const address = `${location.origin}/admin/v1/sandbox/messages?to=${encodeURIComponent(to)}&delivered=true&wait=10`
  const command = `curl -s -H "Authorization: Bearer $POSTERN_OPERATOR_KEY" "${address}"`
  return (
    <section className="card for-tests" aria-labelledby="tests-title">
      <h2 id="tests-title">{t.forTests}</h2>
      <p className="small muted">{t.forTestsHint}</p>
      <pre className="small" tabIndex={0}>
        {command}
      </pre>
      <CopyButton text={command} what={t.command} />
    </section>
  )
}
