import { Field } from '../../components/Field.tsx'

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly autoComplete: string
  readonly hint?: string
  readonly type?: 'text' | 'password'
  readonly required?: boolean
}

/** Limit of the API. */
const maxLength = 200

export function SignInField({ onChange, type = 'text', required = false, ...field }: Props) {
  return <Field {...field} type={type} required={required} maxLength={maxLength} onValue={onChange} />
}
