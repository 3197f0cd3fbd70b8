import { linePrice, total } from './basket.js';
import { formatMoney } from './money.js';

const basket = [
  { name: 'Bread', price: 320, pieces: 1 },
  { name: 'Apples', price: 45, pieces: 10 },
  { name: 'Milk', price: 119, pieces: 2 },
];

for (const item of basket) {
  console.log(
    `${item.name.padEnd(10)}${String(item.pieces).padStart(3)} × ${formatMoney(linePrice(item)).padStart(6)}`,
  );
}
console.log(`${'Total'.padEnd(16)}${formatMoney(total(basket)).padStart(6)}`);
