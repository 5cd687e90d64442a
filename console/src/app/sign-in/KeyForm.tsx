/** Signs in with an operator key, which is kept only in the memory of this page. */
import { useState, type SyntheticEvent } from 'react'
import { toProblem, type Problem } from '../../api/problem.ts'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { setKey } from '../../session/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { SignInField } from './SignInField.tsx'
import { signInTexts } from './texts.ts'

interface Props {
  /** Checks the key and opens the console; rejects if the check fails. */
  readonly enter: () => Promise<void>
}

export function KeyForm({ enter }: Props) {
  const t = useTexts(signInTexts)
  const [key, setTyped] = useState('')
  const [working, setWorking] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    setWorking(true)
    setProblem(null)
    setKey(key.trim())
    try {
      await enter()
    } catch (error) {
      setKey(null)
      setProblem(toProblem(error))
      setWorking(false)
    }
  }

  return (
    <form onSubmit={submit}>
      <SignInField
        label={t.key}
        hint={t.keyHint}
        type="password"
        autoComplete="off"
        value={key}
        onChange={setTyped}
        required
      />
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <button type="submit" className="button primary" disabled={working}>
        {working ? t.signingIn : t.signIn}
      </button>
    </form>
  )
}
