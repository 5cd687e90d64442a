/** Form control for one value, chosen by its schema. Never shows a stored secret. */
import { useState, type ChangeEvent } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { asTexts, chooseControl, mask, type FieldSchema } from './schema.ts'
import { schemaTexts } from './texts.ts'

export interface ControlProps {
  readonly id: string
  readonly hintId: string
  readonly schema: FieldSchema
  readonly value: unknown
  /** Called with `undefined` to omit the value. */
  readonly onValue: (value: unknown) => void
  readonly required: boolean
  readonly invalid: boolean
  readonly label: string
}

type Changed = ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>

export function ValueControl(props: ControlProps) {
  switch (chooseControl(props.schema)) {
    case 'boolean':
      return <BooleanControl {...props} />
    case 'number':
      return <NumberControl {...props} />
    case 'enum':
      return <EnumControl {...props} />
    case 'choices':
      return <ChoicesControl {...props} />
    case 'list':
      return <ListControl {...props} />
    case 'text':
    case 'lines':
      return <TextControl {...props} />
    default:
      return <JsonControl {...props} />
  }
}

function shareProps({ id, hintId, required, invalid }: ControlProps) {
  return { id, required, 'aria-describedby': hintId, 'aria-invalid': invalid || undefined }
}

function TextControl(props: ControlProps) {
  const t = useTexts(schemaTexts)
  const { schema, value, onValue, required } = props
  // Sending the mask back keeps the stored secret.
  const [stored] = useState(value === mask)
  const isKept = stored && value === mask
  const text = isKept || typeof value !== 'string' ? '' : value
  const common = {
    ...shareProps(props),
    className: 'input',
    value: text,
    required: required && !stored,
    minLength: schema.minLength,
    maxLength: schema.maxLength,
    placeholder: stored ? t.kept : formatDefault(schema),
    autoComplete: 'off',
    spellCheck: false,
    onChange: ({ target }: Changed) =>
      onValue(target.value !== '' ? target.value : stored ? mask : undefined),
  }
  if (chooseControl(schema) === 'lines') return <textarea {...common} rows={3} />
  const isHidden = schema.secret === true && !/^(?:env|file):/.test(text)
  if (isHidden) return <input {...common} type="password" autoComplete="new-password" />
  const offered = asTexts(schema.examples)
  if (offered.length === 0) return <input {...common} type="text" />
  return (
    <>
      <input {...common} type="text" list={`${props.id}-offered`} />
      <datalist id={`${props.id}-offered`}>
        {offered.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  )
}

function NumberControl(props: ControlProps) {
  const { schema, value, onValue } = props
  return (
    <input
      {...shareProps(props)}
      className="input"
      type="number"
      step={schema.type === 'integer' ? 1 : 'any'}
      min={schema.minimum}
      max={schema.maximum}
      value={typeof value === 'number' ? value : ''}
      placeholder={formatDefault(schema)}
      onChange={({ target }) => onValue(target.value === '' ? undefined : Number(target.value))}
    />
  )
}

function BooleanControl(props: ControlProps) {
  const { schema, value, onValue, label } = props
  return (
    <label className="choice">
      <input
        {...shareProps(props)}
        type="checkbox"
        required={false}
        checked={(value ?? schema.default ?? false) === true}
        onChange={({ target }) => onValue(target.checked)}
      />
      {label}
    </label>
  )
}

function EnumControl(props: ControlProps) {
  const t = useTexts(schemaTexts)
  const { schema, value, onValue, required } = props
  const standard = formatDefault(schema)
  return (
    <select
      {...shareProps(props)}
      className="select"
      value={typeof value === 'string' ? value : ''}
      onChange={({ target }) => onValue(target.value === '' ? undefined : target.value)}
    >
      <option value="" disabled={required}>
        {standard === undefined ? t.unset : t.defaultIs(standard)}
      </option>
      {asTexts(schema.enum).map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  )
}

function ChoicesControl({ hintId, schema, value, onValue, invalid, label }: ControlProps) {
  const chosen = asTexts(value ?? schema.default)
  const offered = asTexts(schema.items?.enum)
  return (
    <fieldset className="plain" aria-describedby={hintId} aria-invalid={invalid || undefined}>
      <legend>{label}</legend>
      <div className="row-actions">
        {offered.map((one) => (
          <label key={one} className="choice">
            <input
              type="checkbox"
              checked={chosen.includes(one)}
              onChange={({ target }) =>
                onValue(target.checked ? [...chosen, one] : chosen.filter((other) => other !== one))
              }
            />
            {one}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function ListControl(props: ControlProps) {
  const t = useTexts(schemaTexts)
  const { schema, value, onValue } = props
  // Keeps the text as typed: an empty line starts the next value.
  const [text, setText] = useState(() => asTexts(value).join('\n'))
  return (
    <textarea
      {...shareProps(props)}
      className="input"
      rows={2}
      value={text}
      placeholder={asTexts(schema.default).join('\n') || t.onePerLine}
      onChange={({ target }) => {
        setText(target.value)
        const lines = target.value.split('\n').map((line) => line.trim())
        const values = lines.filter((line) => line !== '')
        onValue(values.length === 0 ? undefined : values)
      }}
    />
  )
}

function JsonControl(props: ControlProps) {
  const t = useTexts(schemaTexts)
  const { schema, value, onValue } = props
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)))
  return (
    <textarea
      {...shareProps(props)}
      className="input mono"
      rows={text === '' ? 2 : 6}
      value={text}
      placeholder={formatDefault(schema) ?? t.json}
      spellCheck={false}
      onChange={({ target }) => {
        setText(target.value)
        const read = readJson(target.value)
        target.setCustomValidity(read === null ? t.notJson : '')
        if (read !== null) onValue(read.value)
      }}
    />
  )
}

/** Returns null for invalid JSON. An empty string has the value undefined. */
function readJson(text: string): { readonly value: unknown } | null {
  if (text.trim() === '') return { value: undefined }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return null
  }
}

function formatDefault({ default: standard }: FieldSchema): string | undefined {
  if (standard === undefined || standard === '') return undefined
  return typeof standard === 'string' ? standard : JSON.stringify(standard)
}
