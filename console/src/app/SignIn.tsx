/** Takes the key of an operator. The only screen without a session. */
import { useEffect, useId, useState, type SyntheticEvent } from 'react'
import { Choices } from './Choices.tsx'
import { call } from '../api/call.ts'
import { toProblem, type Problem } from '../api/problem.ts'
import { queryClient } from '../api/queries.ts'
import { ProblemNotice } from '../components/ProblemNotice.tsx'
import { signedInAs, signInMethod, useSession } from '../session/session.ts'
import { shared } from '../texts/shared.ts'
import { useTexts } from '../texts/texts.ts'

export function SignIn() {
  const t = useTexts(shared)
  const { ended } = useSession()
  const [key, setKey] = useState('')
  const [working, setWorking] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const ids = { key: useId(), hint: useId() }
  useEffect(() => {
    document.title = `${t.signInTitle} · Postern`
  }, [t])

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    setWorking(true)
    setProblem(null)
    signInMethod.useKey(key.trim())
    try {
      const operator = await call('showMe', {})
      // What the operator before has read is not shown to this one.
      queryClient.clear()
      signedInAs(operator)
    } catch (error) {
      signInMethod.useKey(null)
      setProblem(toProblem(error))
      setWorking(false)
    }
  }

  return (
    <main className="sign-in">
      <div className="card">
        <span className="brand">
          <img src="/icon.svg" alt="" width="26" height="26" />
          {t.product}
        </span>
        <h1>{t.signInTitle}</h1>
        <p className="muted">{t.signInHint}</p>
        {ended && problem === null ? <p role="status">{t.sessionEnded}</p> : null}
        <form onSubmit={submit}>
          <div className="field">
            <label htmlFor={ids.key}>{t.operatorKey}</label>
            <input
              id={ids.key}
              className="input mono"
              type="password"
              autoComplete="off"
              required
              maxLength={200}
              value={key}
              aria-describedby={ids.hint}
              onChange={(event) => setKey(event.target.value)}
            />
            <span id={ids.hint} className="small muted">
              {t.operatorKeyHint}
            </span>
          </div>
          {problem === null ? null : <ProblemNotice problem={problem} />}
          <button type="submit" className="button primary" disabled={working}>
            {working ? t.signingIn : t.signIn}
          </button>
        </form>
        <Choices />
      </div>
    </main>
  )
}
