import { NativeSelect } from '@mantine/core';

interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly { readonly value: T; readonly label: string }[];
  onChange: (value: T) => void;
}

/** One of several, by the browser's own list. */
export function Select<T extends string>({ label, value, options, onChange }: SelectProps<T>) {
  return (
    <NativeSelect
      label={label}
      value={value}
      data={[...options]}
      onChange={(event) => {
        const chosen = options.find((option) => option.value === event.currentTarget.value);
        if (chosen) onChange(chosen.value);
      }}
    />
  );
}
