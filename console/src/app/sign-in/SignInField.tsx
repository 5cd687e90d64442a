/** A field of the sign-in: the common one, bounded as the API bounds what it takes. */
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

const maxLength = 200

export function SignInField({ onChange, type = 'text', required = false, ...field }: Props) {
  return <Field {...field} {...{ type, required, maxLength }} onValue={onChange} />
}
