"""The fifteen tests of NIST SP 800-22 rev. 1a, each named by its section.

Each takes the bits of one sequence and gives a statistic and a p-value. Where the document prints
rounded or asymptotic chances for a chi-square (2.4, 2.5, 2.8, 2.10), the exact ones are used here;
`chances` puts the printed ones in, to compare with the document's own examples.
"""
