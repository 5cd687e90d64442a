/**
 * Signs in with name, password and code. At the first sign-in the API returns a secret for an authenticator app and may require
 * a new password; then recovery codes are shown once.
 */
import { useState, type SyntheticEvent } from 'react'
import { call, type Data } from '../../api/call.ts'
import { toProblem, type Problem } from '../../api/problem.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { expectSession } from '../../session/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { SignInField } from './SignInField.tsx'
import { signInTexts } from './texts.ts'

type Enrolment = NonNullable<Data<'startSession'>['enrolment']>

export function PasswordForm({ onDone }: { readonly onDone: () => Promise<void> }) {
  const t = useTexts(signInTexts)
  const [fields, setFields] = useState({ name: '', password: '', code: '', newPassword: '' })
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null)
  const [needsNewPassword, setNeedsNewPassword] = useState(false)
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null)
  const [working, setWorking] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const set = (field: keyof typeof fields) => (value: string) => setFields({ ...fields, [field]: value })

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    setWorking(true)
    setProblem(null)
    try {
      const { name, password, code, newPassword } = fields
      const started = await call('startSession', {
        body: {
          name: name.trim(),
          password,
          ...(code.trim() === '' ? {} : { code: code.trim() }),
          ...(newPassword === '' ? {} : { newPassword }),
        },
      })
      if (started.step === 'enrol') setEnrolment(started.enrolment)
      setNeedsNewPassword(started.step === 'new-password' || started.enrolment?.newPassword === true)
      if (started.step === 'done') {
        expectSession()
        if (started.recoveryCodes === null) await onDone()
        else setRecoveryCodes(started.recoveryCodes)
      }
    } catch (error) {
      setProblem(toProblem(error))
    }
    setWorking(false)
  }

  if (recoveryCodes !== null) return <RecoveryCodes codes={recoveryCodes} onDone={onDone} />
  return (
    <form onSubmit={submit}>
      <SignInField
        label={t.name}
        value={fields.name}
        onChange={set('name')}
        autoComplete="username"
        required
      />
      <SignInField
        label={t.password}
        type="password"
        value={fields.password}
        onChange={set('password')}
        autoComplete="current-password"
        required
      />
      {enrolment === null ? null : <Secret enrolment={enrolment} />}
      <SignInField
        label={t.code}
        hint={enrolment === null ? t.codeHint : t.enrolCodeHint}
        value={fields.code}
        onChange={set('code')}
        autoComplete="one-time-code"
        required={enrolment !== null}
      />
      {needsNewPassword ? (
        <SignInField
          label={t.newPassword}
          hint={t.newPasswordHint}
          type="password"
          autoComplete="new-password"
          value={fields.newPassword}
          onChange={set('newPassword')}
          required
        />
      ) : null}
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <button type="submit" className="button primary" disabled={working}>
        {working ? t.signingIn : t.signIn}
      </button>
    </form>
  )
}

function Secret({ enrolment: { secret, uri } }: { readonly enrolment: Enrolment }) {
  const t = useTexts(signInTexts)
  return (
    <div className="field" role="status">
      <strong>{t.enrolTitle}</strong>
      <span className="small muted">{t.enrolHint}</span>
      <span className="inline">
        <code>{secret.replaceAll(/(.{4})/g, '$1 ').trim()}</code>
        <CopyButton text={secret} what={t.enrolTitle} />
      </span>
      <a href={uri}>{t.openApp}</a>
    </div>
  )
}

function RecoveryCodes(props: { readonly codes: readonly string[]; readonly onDone: () => Promise<void> }) {
  const t = useTexts(signInTexts)
  return (
    <div className="field" role="status">
      <strong>{t.recoveryTitle}</strong>
      <span className="small muted">{t.recoveryHint}</span>
      <pre className="recovery">{props.codes.join('\n')}</pre>
      <CopyButton text={props.codes.join('\n')} what={t.recoveryTitle} />
      <button type="button" className="button primary" onClick={() => void props.onDone()}>
        {t.recoveryKept}
      </button>
    </div>
  )
}
