/** Data for the charts of business figures: made up but plausible. */

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export const cash = {
  labels: months,
  series: [
    {
      name: 'In the bank',
      values: [8200, 6900, 4100, 1250, -600, 900, 2400, 5100, 7400, 6800, 9100, 12400],
    },
    {
      name: 'Forecast',
      values: [8000, 7200, 6000, 4500, 3100, 3000, 3900, 5600, 7000, 8200, 9600, 11800],
    },
  ],
};

export const profit = {
  labels: months,
  values: [1200, 400, -1900, -850, 300, 1450, 2100, null, 2600, 1750, 2900, 4100],
};

export const revenue = {
  labels: ['2021', '2022', '2023', '2024', '2025', '2026'],
  series: [{ name: 'Revenue', values: [186000, 204500, 231000, 228400, 262000, 301500] }],
};

export const answers = {
  labels: ['I always knew my next step', 'My coach came prepared', 'I would come back'],
  series: [
    { name: '1, not at all', values: [2, 0, 1] },
    { name: '2', values: [4, 1, 2] },
    { name: '3', values: [9, 4, 5] },
    { name: '4', values: [18, 21, 12] },
    { name: '5, completely', values: [11, 18, 24] },
  ],
};

export const channels = {
  labels: ['Spring', 'Summer', 'Fall', 'Winter'],
  series: [
    { name: 'Walk-in', values: [4200, 6100, 5200, 3100] },
    { name: 'Orders', values: [2600, 2900, 3800, 5400] },
    { name: 'Markets', values: [1800, 3900, 2100, null] },
  ],
};

export const hours = [
  { label: 'Kitchen', value: 8.76 },
  { label: 'Measure and fit', value: 45.82 },
  { label: 'Repairs', value: -3.5 },
  { label: 'Advice by phone', value: null },
];
