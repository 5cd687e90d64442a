/** Edits an object with arbitrary names and string values, one row per entry. */
import { useId, useState } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { Hint, type ShownWords } from './Hint.tsx'
import { getMemberSchema, type Fields, type FieldSchema } from './schema.ts'
import { schemaTexts } from './texts.ts'
import { ValueControl } from './ValueControl.tsx'

interface Props extends ShownWords {
  readonly schema: FieldSchema
  readonly value: Fields
  readonly onValue: (value: unknown) => void
}

interface Row {
  readonly key: number
  readonly name: string
  readonly value: unknown
}

export function MapField({ schema, value, onValue, ...words }: Props) {
  const t = useTexts(schemaTexts)
  const hintId = useId()
  const member = getMemberSchema(schema)!
  // Rows, not an object: a name that is being typed can be empty or a duplicate.
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.entries(value).map(([name, one], key) => ({ key, name, value: one })),
  )
  const change = (changed: readonly Row[]): void => {
    setRows(changed)
    const named = changed.filter(({ name }) => name !== '')
    onValue(named.length === 0 ? undefined : Object.fromEntries(named.map((row) => [row.name, row.value])))
  }
  const replace = (row: Row): void => change(rows.map((one) => (one.key === row.key ? row : one)))
  const nextKey = 1 + Math.max(-1, ...rows.map(({ key }) => key))
  return (
    <fieldset className="schema-group" aria-describedby={hintId}>
      <legend>{words.label}</legend>
      <Hint id={hintId} {...words} secret={member.secret === true} />
      {rows.map((row) => (
        <div key={row.key} className="schema-member">
          <input
            className="input mono"
            aria-label={`${words.label}: ${t.memberName}`}
            placeholder={t.memberName}
            value={row.name}
            required
            onChange={({ target }) => replace({ ...row, name: target.value.trim() })}
          />
          <MemberValue row={row} member={member} hintId={hintId} label={words.label} onRow={replace} />
          <button
            type="button"
            className="button plain"
            onClick={() => change(rows.filter(({ key }) => key !== row.key))}
          >
            {t.removeMember}
            <span className="hidden-visually"> {row.name}</span>
          </button>
        </div>
      ))}
      <div>
        <button
          type="button"
          className="button"
          onClick={() => change([...rows, { key: nextKey, name: '', value: undefined }])}
        >
          {t.addMember}
          <span className="hidden-visually"> {words.label}</span>
        </button>
      </div>
    </fieldset>
  )
}

interface MemberProps {
  readonly row: Row
  readonly member: FieldSchema
  readonly hintId: string
  readonly label: string
  readonly onRow: (row: Row) => void
}

function MemberValue({ row, member, hintId, label, onRow }: MemberProps) {
  const t = useTexts(schemaTexts)
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="hidden-visually">
        {label}: {t.memberValue} {row.name}
      </label>
      <ValueControl
        id={id}
        hintId={hintId}
        label={label}
        schema={member}
        value={row.value}
        required
        invalid={false}
        onValue={(value) => onRow({ ...row, value })}
      />
    </div>
  )
}
