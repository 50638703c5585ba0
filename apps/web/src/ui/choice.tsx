import '@mantine/core/styles/SegmentedControl.layer.css';
import { Input, SegmentedControl } from '@mantine/core';

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly { readonly value: T; readonly label: string }[];
  onChange: (value: T) => void;
}

/** One of a few, side by side under a label. */
export function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <SegmentedControl fullWidth aria-label={label} value={value} data={[...options]} onChange={onChange} />
    </Input.Wrapper>
  );
}
