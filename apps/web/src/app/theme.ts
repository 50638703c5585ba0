import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
  type VariantColorsResolver,
} from '@mantine/core';
import { buttonRoot } from './button-root.tsx';

// Ten shades a colour. Dark screens fill with shade 4, light ones with shade 7.
const accent: MantineColorsTuple = [
  '#eef4ff',
  '#d9e6ff',
  '#b8d0ff',
  '#98bbff',
  '#7aa8ff',
  '#5a8ff5',
  '#3b74e0',
  '#1d57c9',
  '#1646a6',
  '#103784',
];
const danger: MantineColorsTuple = [
  '#fff0f0',
  '#ffdede',
  '#ffbcbc',
  '#ff9999',
  '#c93636',
  '#bd3030',
  '#b02a2a',
  '#b42424',
  '#941d1d',
  '#771616',
];
const gain: MantineColorsTuple = [
  '#e8fbf1',
  '#cdf5df',
  '#9fecc3',
  '#6ee2a6',
  '#3dd68c',
  '#22b872',
  '#159659',
  '#0b7a45',
  '#086237',
  '#054a29',
];
const warning: MantineColorsTuple = [
  '#fff7e6',
  '#feecc7',
  '#fbdc98',
  '#f7cb6b',
  '#f2b84b',
  '#d89b26',
  '#b47c10',
  '#855500',
  '#6b4400',
  '#513300',
];

// What Mantine's own parts are made of on dark screens: text first, canvas near the end.
const dark: MantineColorsTuple = [
  '#e7eaee',
  '#c4cbd5',
  '#9aa4b2',
  '#667085',
  '#3a4352',
  '#262d38',
  '#1a1f28',
  '#12161d',
  '#0b0e13',
  '#07090d',
];

/** Mantine picks the text on a fill for light screens only; ours follows the scheme. */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  if (input.variant !== 'filled') return colors;
  return { ...colors, color: input.color === 'danger' ? '#ffffff' : 'var(--kv-on-fill)' };
};

const base: MantineThemeOverride = {
  colors: { accent, danger, dark, gain, warning },
  variantColorResolver: variantColors,
  primaryColor: 'accent',
  primaryShade: { dark: 4, light: 7 },
  black: '#0b0e13',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '22px' }, h2: { fontSize: '16px' }, h3: { fontSize: '14px' } },
  },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '6px', sm: '6px', md: '6px', lg: '6px', xl: '6px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  // Plain objects: naming the components themselves would load them all with the first screen.
  components: {
    ActionIcon: { defaultProps: { renderRoot: buttonRoot } },
    Button: { defaultProps: { size: 'sm', renderRoot: buttonRoot } },
    Loader: { defaultProps: { type: 'oval', size: 'sm' } },
    NumberInput: { defaultProps: { hideControls: true } },
    Skeleton: { defaultProps: { radius: 'sm' } },
    Textarea: { defaultProps: { autosize: true, minRows: 2 } },
    TextInput: { defaultProps: { size: 'sm' } },
    // Beside what it explains: in the same landmark, and above a dialog where it belongs to one.
    Tooltip: { defaultProps: { openDelay: 200, withinPortal: false, floatingStrategy: 'fixed' } },
  },
};

/** The theme; `close` labels what closes a modal, sheet or toast, in the language of the screen. */
export function themeFor(close: string): MantineThemeOverride {
  const closeButtonProps = { 'aria-label': close };
  // Over a page that has a header of its own, that of a layer is no landmark.
  const layer = {
    closeButtonProps,
    overlayProps: { backgroundOpacity: 0.6 },
    attributes: { header: { role: 'presentation' } },
  };
  return createTheme({
    ...base,
    components: {
      ...base.components,
      Modal: { defaultProps: { ...layer, centered: true } },
      Notification: { defaultProps: { closeButtonProps } },
    },
  });
}

const fromTheme = {
  '--mantine-color-body': 'var(--kv-canvas)',
  '--mantine-color-text': 'var(--kv-text)',
  '--mantine-color-bright': 'var(--kv-text)',
  '--mantine-color-dimmed': 'var(--kv-muted)',
  '--mantine-color-placeholder': 'var(--kv-muted)',
  '--mantine-color-anchor': 'var(--kv-accent)',
  '--mantine-color-default': 'var(--kv-surface)',
  '--mantine-color-default-hover': 'var(--kv-raised)',
  '--mantine-color-default-color': 'var(--kv-text)',
  '--mantine-color-default-border': 'var(--kv-control)',
  '--mantine-color-error': 'var(--kv-loss)',
};

/** Mantine's colours are those of colours.css in both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  dark: fromTheme,
  light: fromTheme,
});
