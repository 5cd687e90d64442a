/** Signs in with name, password and code, with the OIDC provider, or with an operator key. */
import { useEffect, useState } from 'react'
import { call, type Data } from '../api/call.ts'
import { toProblem, type Problem } from '../api/problem.ts'
import { queryClient } from '../api/queries.ts'
import { ProblemNotice } from '../components/ProblemNotice.tsx'
import { expectSession, signedInAs, useSession } from '../session/session.ts'
import { useTexts } from '../texts/texts.ts'
import { shared } from '../texts/shared.ts'
import { Choices } from './Choices.tsx'
import { KeyForm } from './sign-in/KeyForm.tsx'
import { PasswordForm } from './sign-in/PasswordForm.tsx'
import { signInTexts } from './sign-in/texts.ts'

type SignInMethods = Data<'showSignIn'>

/** Opens the console after a successful sign-in. */
export async function enter(): Promise<void> {
  const operator = await call('showMe', {})
  // The cache may hold data of another operator.
  queryClient.clear()
  signedInAs(operator)
}

export function SignIn() {
  const t = useTexts(signInTexts)
  const { product } = useTexts(shared)
  const { ended } = useSession()
  const [methods, setMethods] = useState<SignInMethods | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [withKey, setWithKey] = useState(false)
  useEffect(() => {
    document.title = `${t.title} · Postern`
  }, [t])
  useEffect(() => {
    const closed = new AbortController()
    call('showSignIn', {}, { signal: closed.signal }).then(setMethods, (error: unknown) => {
      if (!closed.signal.aborted) setProblem(toProblem(error))
    })
    return () => closed.abort()
  }, [])

  return (
    <main className="sign-in">
      <div className="card">
        <span className="brand">
          <img src="/icon.svg" alt="" width="26" height="26" />
          {product}
        </span>
        <h1>{t.title}</h1>
        <p className="muted">{t.hint}</p>
        {ended ? (
          <p className="session-ended" role="status">
            {t.ended}
          </p>
        ) : null}
        {problem === null ? null : <ProblemNotice problem={problem} />}
        {withKey ? <KeyForm enter={enter} /> : <PasswordForm onDone={enter} />}
        {methods?.oidc == null ? null : (
          <a
            className="button"
            href={`${methods.oidc.start}?return=${encodeURIComponent(location.pathname + location.search)}`}
            onClick={expectSession}
          >
            {t.provider(new URL(methods.oidc.issuer).host)}
          </a>
        )}
        <button type="button" className="button link" onClick={() => setWithKey(!withKey)}>
          {withKey ? t.usePassword : t.useKey}
        </button>
        <Choices />
      </div>
    </main>
  )
}
