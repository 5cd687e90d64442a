import { defineTexts } from '../../texts/texts.ts'

export const schemaTexts = defineTexts(
  {
    required: 'required',
    more: (count: string) => `More optional fields (${count})`,
    unset: 'not set',
    defaultIs: (value: string) => `Default: ${value}`,
    kept: 'Stored. Leave empty to keep it.',
    secretHint: 'Not shown again. Use env:NAME or file:/path to refer to a secret outside the database.',
    onePerLine: 'One per line.',
    use: (name: string) => `Set ${name}`,
    memberName: 'Name',
    memberValue: 'Value',
    addMember: 'Add',
    removeMember: 'Remove',
    json: 'JSON',
    notJson: 'This is not valid JSON.',
  },
  {
    required: '필수',
    more: (count) => `선택 항목 ${count}개 더 보기`,
    unset: '설정 안 함',
    defaultIs: (value) => `기본값: ${value}`,
    kept: '저장되어 있습니다. 비워 두면 그대로 유지됩니다.',
    secretHint:
      '다시 표시되지 않습니다. env:NAME 또는 file:/path로 데이터베이스 외부의 시크릿을 참조할 수 있습니다.',
    onePerLine: '한 줄에 하나씩 입력하세요.',
    use: (name) => `${name} 설정`,
    memberName: '이름',
    memberValue: '값',
    addMember: '추가',
    removeMember: '삭제',
    json: 'JSON',
    notJson: '올바른 JSON이 아닙니다.',
  },
)
