import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { useServices } from './services.ts';

test('what needs the services outside their provider is an error', () => {
  const Stray = () => {
    useServices();
    return null;
  };
  expect(() => renderToString(createElement(Stray))).toThrow('useServices needs a ServicesProvider above it');
});
