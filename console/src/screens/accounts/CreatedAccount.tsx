/** Shows the key and password of a new account once, with an example request. */
import { Problem } from '../../api/problem.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { SecretOnce } from '../../components/SecretOnce.tsx'
import { useTexts } from '../../texts/texts.ts'
import type { FirstCredentials } from './CreateAccount.tsx'
import { accountsTexts } from './texts.ts'

interface Props {
  readonly made: FirstCredentials
  readonly onClose: () => void
}

export function CreatedAccount({ made: { clientId, password, key, apiUrl }, onClose }: Props) {
  const t = useTexts(accountsTexts)
  if (key instanceof Problem)
    return (
      <SecretOnce title={t.passwordOf(clientId)} secret={password} note={t.keyLater} onClose={onClose}>
        <ProblemNotice problem={key} />
      </SecretOnce>
    )
  const command = formatFirstRequest(apiUrl, key)
  return (
    <SecretOnce title={t.keyOf(clientId)} secret={key} note={t.firstRequestNote} onClose={onClose}>
      <h3>{t.firstRequest}</h3>
      <div className="secret">
        <pre className="small wrapped" tabIndex={0}>
          {command}
        </pre>
        <CopyButton text={command} what={t.firstRequest} />
      </div>
      <h3>{t.signIn}</h3>
      <div className="secret">
        <span>
          {t.clientId} <code className="mono">{clientId}</code>
        </span>
        <CopyButton text={clientId} what={t.clientId} />
        <span>
          {t.password} <code className="mono">{password}</code>
        </span>
        <CopyButton text={password} what={t.password} />
      </div>
    </SecretOnce>
  )
}

function formatFirstRequest(apiUrl: string, key: string): string {
  const body = JSON.stringify({ from: '15880000', to: '01012345678', text: 'Hello' })
  return [
    `curl ${apiUrl}/v1/send/sms`,
    `  -H 'Authorization: Bearer ${key}'`,
    `  -H 'Content-Type: application/json'`,
    `  -d '${body}'`,
  ].join(' \\\n')
}
